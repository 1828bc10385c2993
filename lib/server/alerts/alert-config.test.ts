import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { log } from '../console-log';
import { ConfigurationError, readEnv } from '../environment';
import { type AlertConfig, alertConfigSchema } from '../settings/alert-config-schema';
import { alertAfterMs, alertConfig, alertsFileProblem, channelTakes, channelTarget } from './alert-config';

const KEY = '0123456789abcdef0123456789abcdef';
const ALL = {
  channels: [
    { name: 'tickets', kind: 'webhook', url: 'https://hooks.example.com/a', secret: 'k'.repeat(16) },
    { name: 'chat', kind: 'slack', url: 'https://hooks.slack.example/services/T0/B0/s3cret' },
    { name: 'office', kind: 'teams', url: 'https://flows.example.com/x' },
    { name: 'night', kind: 'pagerduty', routingKey: KEY, levels: ['bad'], queues: ['billing*', 'mail'] },
    {
      name: 'mail',
      kind: 'email',
      smtp: 'smtps://me:p%40ss@mail.example.com',
      from: 'redrive@example.com',
      to: ['a@example.com', 'b@example.com'],
      codes: ['FAILING', 'DEEP'],
    },
    { name: 'alive', kind: 'heartbeat', url: 'https://beat.example.com/ping' },
  ],
};

/** What each mistake says. */
function problemsOf(value: unknown): string[] {
  try {
    readEnv({ REDIS_URL: 'redis://127.0.0.1', REDRIVE_ALERTS: JSON.stringify(value) });
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return [...error.problems];
    throw error;
  }
}
const configOf = (value: unknown): AlertConfig => alertConfigSchema.parse(value);
const withChannel = (channel: object, more: object = {}) => ({ channels: [channel], ...more });
const hook = (url: string) => ({ name: 'a', kind: 'slack', url });

describe('a configuration', () => {
  it('of every kind of channel has defaults for the rest', () => {
    expect(problemsOf(ALL)).toEqual([]);
    const { channels, ...rest } = configOf(ALL);
    expect(rest).toEqual({ rules: {}, resolveAfterSeconds: 60, allowedHosts: [] });
    expect(channels[1]).toMatchObject({ levels: ['warn', 'bad'] });
    expect(channels[3]).toMatchObject({ levels: ['bad'], url: 'https://events.pagerduty.com/v2/enqueue' });
    expect(channels[5]).toMatchObject({ everySeconds: 60 });
    expect(configOf({})).toMatchObject({ channels: [] });
  });

  it('shows hosts and receivers of its channels, but no secret', () => {
    const targets = configOf(ALL).channels.map(channelTarget);
    expect(targets).toEqual([
      'hooks.example.com',
      'hooks.slack.example',
      'flows.example.com',
      'events.pagerduty.com',
      'a@example.com, b@example.com',
      'beat.example.com',
    ]);
  });

  it('with several mistakes has them all named, without its secrets', () => {
    const problems = problemsOf({
      channels: [
        { name: 'a b', kind: 'slack', url: 'ftp://s3cret.example.com' },
        { name: 'b', kind: 'fax', url: 'https://s3cret' },
        { name: 'c', kind: 'pagerduty', routingKey: 's3cret' },
        { name: 'd', kind: 'webhook', url: 'https://u:s3cret@example.com', secret: 's3cret' },
        { name: 'e', kind: 'email', smtp: 'https://s3cret', from: 's3cret', to: [] },
        { name: 'f', kind: 'heartbeat', url: 'https://example.com', everySeconds: 1, levels: ['bad'] },
        {
          name: 'g',
          kind: 'teams',
          url: 'https://example.com',
          levels: [],
          codes: ['FAILNG'],
          queues: ['a*b'],
        },
      ],
      rules: { failing: { off: true }, DEEP: { forSeconds: -1 } },
      resolveAfterSeconds: 1,
      allowedHosts: ['*.example.com', 'http://a'],
      chanels: [],
    });
    const fields = problems.map((problem) => /^REDRIVE_ALERTS at ([\w. ]+): /.exec(problem)?.[1]);
    expect(fields).toEqual([
      'channels.0.name',
      'channels.0.url',
      'channels.1.kind',
      'channels.2.routingKey',
      'channels.3.url',
      'channels.3.secret',
      'channels.4.smtp',
      'channels.4.from',
      'channels.4.to',
      'channels.5.everySeconds',
      'channels.5',
      'channels.6.levels',
      'channels.6.codes.0',
      'channels.6.queues.0',
      'rules.failing',
      'rules.DEEP.forSeconds',
      'resolveAfterSeconds',
      'allowedHosts.0',
      'allowedHosts.1',
      'its top',
    ]);
    expect(problems.join('\n')).not.toContain('s3cret');
    expect(problems).toContainEqual(
      expect.stringMatching(/^REDRIVE_ALERTS at rules\.failing: must be the code of a finding: REDIS, /),
    );
  });

  it.each([
    [hook('http://hooks.example.com/'), 'must begin with https://'],
    [hook('https://127.0.0.1/'), 'is an address that is not public'],
    [hook('https://[::1]:9000/'), 'add "[::1]:9000" to allowedHosts'],
    [hook('https://0x7f.1/'), 'add "127.0.0.1" to allowedHosts'],
    [hook('https://169.254.169.254/latest'), 'is an address that is not public'],
  ])('%j is refused without permission by name', (channel, sentence) => {
    expect(problemsOf(withChannel(channel))).toEqual([expect.stringContaining(sentence)]);
    const { host } = new URL(channel.url);
    expect(problemsOf(withChannel(channel, { allowedHosts: [host.toUpperCase()] }))).toEqual([]);
  });

  it('takes no name that objects treat in a way of their own', () => {
    const named = (name: string) => problemsOf(withChannel({ ...hook('https://hooks.example.com/'), name }));
    expect(named('constructor')).toEqual([]);
    expect(named('__proto__')).toEqual([expect.stringMatching(/^REDRIVE_ALERTS at channels\.0\.name: /)]);
  });

  it('refuses a password with a bare %, which no mail server would get as it is meant', () => {
    const mail = (smtp: string) =>
      problemsOf(
        withChannel({ name: 'a', kind: 'email', smtp, from: 'a@example.com', to: ['b@example.com'] }),
      );
    expect(mail('smtps://me:100%25@mail.example.com')).toEqual([]);
    for (const smtp of ['smtps://me:100%@mail.example.com', 'smtps://m%e:100@mail.example.com'])
      expect(mail(smtp)).toEqual([expect.stringMatching(/channels\.0\.smtp: .*write %25 for a %/)]);
  });

  it('gives each channel a name of its own', () => {
    const channels = [hook('https://a.example.com'), hook('https://b.example.com')];
    expect(problemsOf({ channels })).toEqual([
      'REDRIVE_ALERTS at channels.1.name: must differ from the names of the other channels',
    ]);
  });
});

describe('the time that a finding must stand', () => {
  const rules = { PAUSED: { forSeconds: 600 }, DEEP: { off: true }, REDIS: { forSeconds: 0 } };
  it.each([
    ['FAILING', 'bad', 30_000, 30_000],
    ['FAILING', 'warn', 300_000, 300_000],
    ['REDIS', 'bad', 10_000, 0],
    ['DATA_LOST', 'bad', 0, 0],
    ['LEDGER', 'bad', 0, 0],
    ['PAUSED', 'warn', null, 600_000],
    ['DRAINING', 'warn', null, null],
    ['DEEP', 'bad', 30_000, null],
    ['constructor', 'bad', 30_000, 30_000],
  ] as const)('of %s (%s) is %s ms, with rules %s ms', (code, level, usual, ruled) => {
    expect(alertAfterMs(configOf({}), code, level)).toBe(usual);
    expect(alertAfterMs(configOf({ rules }), code, level)).toBe(ruled);
  });
});

describe('a channel takes', () => {
  const alert = (code: string, level: 'warn' | 'bad', named: string[], total = named.length) => ({
    code,
    level,
    queues: { named, total },
  });
  const [tickets, , , night, mail, alive] = configOf(ALL).channels;
  it.each([
    [tickets, alert('REDIS', 'bad', []), true],
    [tickets, alert('OLD', 'warn', ['x']), true],
    [night, alert('OLD', 'warn', ['mail']), false],
    [night, alert('OLD', 'bad', ['mail']), true],
    [night, alert('OLD', 'bad', ['mail2']), false],
    [night, alert('OLD', 'bad', ['x', 'billing-eu']), true],
    [night, alert('REDIS', 'bad', []), false],
    // Queues that it does not name could be among them.
    [night, alert('OLD', 'bad', ['x'], 51), true],
    [mail, alert('DEEP', 'warn', ['x']), true],
    [mail, alert('OLD', 'bad', ['x']), false],
    [alive, alert('REDIS', 'bad', []), false],
  ])('%j: %j: %s', (channel, finding, takes) => {
    expect(channel && channelTakes(channel, finding)).toBe(takes);
  });
});

describe('REDRIVE_ALERTS_FILE', () => {
  const dir = mkdtempSync(join(tmpdir(), 'redrive-alerts-'));
  let count = 0;
  const use = (text: string) => {
    count += 1;
    const file = join(dir, `${count}.json`);
    writeFileSync(file, text);
    vi.stubEnv('REDRIVE_ALERTS_FILE', file);
    return file;
  };
  vi.stubEnv('REDIS_URL', 'redis://127.0.0.1');
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.stubEnv('REDIS_URL', 'redis://127.0.0.1');
  });

  it('R9: holds the same, and a change of it holds at once; while it cannot be used, the last one does', () => {
    const file = use(JSON.stringify(ALL));
    const secret = () => {
      const channel = alertConfig().channels.find(({ kind }) => kind === 'webhook');
      return channel?.kind === 'webhook' ? channel.secret : null;
    };
    expect(alertsFileProblem()).toBeNull();
    expect(alertConfig().channels).toHaveLength(6);
    const said = vi.spyOn(log(), 'error').mockReturnValue(undefined);
    for (const next of ['rotated-secret-of-today', 'rotated-secret-of-tomorrow']) {
      const channels = ALL.channels.map((channel) =>
        channel.kind === 'webhook' ? { ...channel, secret: next } : channel,
      );
      writeFileSync(file, JSON.stringify({ ...ALL, channels }));
      expect(secret()).toBe(next);
      writeFileSync(file, '{');
      expect([secret(), secret()]).toEqual([next, next]);
    }
    expect(said.mock.calls.flat()).toEqual([
      expect.stringMatching(/^REDRIVE_ALERTS_FILE .* is not JSON.*channels and rules read before stay valid/),
      expect.stringMatching(/^REDRIVE_ALERTS_FILE .* is not JSON/),
    ]);
    said.mockRestore();
    rmSync(file);
    expect(secret()).toBe('rotated-secret-of-tomorrow');
  });

  it('that is missing, no JSON, too large or wrong is a sentence without its content', () => {
    rmSync(use(''));
    expect(alertsFileProblem()).toMatch(/^REDRIVE_ALERTS_FILE .*json cannot be read \(ENOENT\)\.$/);
    use('s3cret');
    expect(alertsFileProblem()).toMatch(/is not JSON: it must be \{"channels"/);
    expect(alertsFileProblem()).not.toContain('s3cret');
    use(`"${'x'.repeat(256 * 1024)}"`);
    expect(alertsFileProblem()).toMatch(/is larger than 262144 bytes\.$/);
    use(JSON.stringify({ channels: [hook('http://a.example.com/s3cret'), hook('https://b.example.com')] }));
    expect(alertsFileProblem()).toMatch(/at channels\.0\.url: must begin.*; at channels\.1\.name: /);
    expect(alertsFileProblem()).not.toContain('s3cret');
  });
});
