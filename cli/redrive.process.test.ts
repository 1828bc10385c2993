/** T9: the command as it is installed, against the API of a console on a real Redis. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '@/testing/poll';
import { IDLE_REPORT } from '@/testing/records/idle-worker';
import { type RouteServer, startRouteServer } from '@/testing/routes/route-server';
import { setUpRedriveCommand } from '@/testing/transcript/redrive-command';
import { setUpConsole } from '@/testing/worlds/console-server';
import { signInAs, tokenFor } from '@/testing/worlds/users';
import { failure, killAll } from '@/testing/worlds/world';

const world = await setUpConsole();
const command = await setUpRedriveCommand();
let server: RouteServer;
let env: Record<string, string>;

const redrive = (
  words: readonly string[],
  more: { input?: string; env?: Record<string, string> } = {},
): ReturnType<typeof command.run> => command.run(words, { ...more, env: { ...env, ...more.env } });
const json = async (words: readonly string[]) => {
  const run = await redrive([...words, '--json']);
  expect(run.err).toBe('');
  expect(run.code).toBe(0);
  return JSON.parse(run.out);
};

beforeAll(async () => {
  process.env.REDRIVE_RATE_FACTOR = '1000';
  const me = await signInAs(world, {
    name: 'ann',
    grants: [{ role: 'admin', queues: ['*'], tenants: null }],
  });
  const { headers } = await tokenFor(world, me, [{ role: 'operator', queues: ['*'], tenants: null }]);
  server = await startRouteServer();
  env = {
    REDRIVE_URL: server.url,
    REDRIVE_TOKEN: headers.authorization.replace('Bearer ', ''),
  };
  const jobs = ['a', 'b', 'c'].map((jobId) => ({ jobId, jobType: 'mail.send', payload: '{"to":1}' }));
  await killAll(world.broker, 'mail', jobs, failure('HTTP_503'));
}, 120_000);
afterAll(() => server.stop());

describe('queues', () => {
  test('lists, pauses, resumes and drains', async () => {
    const listed = await redrive(['queues']);
    expect(listed.out).toMatch(/^QUEUE +READY/m);
    expect(listed.out).toMatch(/^mail +0 +0 +0 +0 +3 /m);
    const paused = await redrive([
      'pause',
      'mail',
      '--reason',
      'provider is down',
      '--scope',
      'type:mail.send',
    ]);
    expect(paused).toMatchObject({ code: 0, out: expect.stringContaining('type:mail.send') });
    expect((await redrive(['resume', 'mail', '--scope', 'type:mail.send'])).out).toBe(
      'Nothing of mail is paused.\n',
    );
    expect((await redrive(['drain', 'mail', '--reason', 'x'])).out).toContain('refuses new jobs');
    expect((await redrive(['drain', 'mail', '--reason', 'x', '--end'])).out).toContain('takes new jobs');
    // A console reads its queues once a second.
    await until(async () => !(await json(['queues', 'show', 'mail'])).queue.draining, {
      what: 'mail to take new jobs',
    });
    expect(await json(['reclaim', 'mail'])).toEqual({ reclaimed: 0 });
  });

  test('shows and changes settings, and says who did', async () => {
    const changed = await redrive([
      'settings',
      'set',
      'mail',
      'depthLimit=5000',
      '--reason',
      'a test',
      '--yes',
    ]);
    expect(changed.out).toMatch(/^depthLimit +5000$/m);
    expect((await json(['settings', 'show', 'mail'])).config.depthLimit).toBe(5000);
    expect((await redrive(['settings', 'changes', 'mail'])).out).toContain('a test');
    expect((await redrive(['settings', 'set', 'mail', 'depthLimit', '--yes'])).code).toBe(2);
  });
});

describe('jobs', () => {
  test('enqueues over the API and straight at Redis, lists, finds, shows and cancels', async () => {
    const queue = ['enqueue', 'orders', '--type', 'order.pay'];
    expect(
      (await redrive([...queue, '--id', 'o-1', '--payload', '-'], { input: '{"n": 1.50}' })).out,
    ).toMatch(/^o-1 +ready$/m);
    expect((await redrive([...queue, '--id', 'o-1', '--payload', '{"n": 1.50}'])).out).toMatch(/duplicate/);
    expect((await redrive([...queue, '--id', 'o-2', '--redis', world.redis.path])).out).toMatch(
      /^o-2 +ready$/m,
    );
    expect((await redrive(['jobs', 'list', 'orders'])).out).toMatch(/^orders +o-1 +ready +order.pay/m);
    expect((await json(['jobs', 'find', 'o-2'])).jobs).toHaveLength(1);
    expect((await redrive(['jobs', 'show', 'orders', 'o-1'])).out).toContain('{"n": 1.50}');
    expect(await redrive(['jobs', 'cancel', 'orders', 'o-1'])).toMatchObject({
      code: 7,
      err: expect.stringContaining('Nothing was changed'),
    });
    expect((await redrive(['jobs', 'cancel', 'orders', 'o-1', '--yes'])).code).toBe(0);
    expect((await redrive(['stats', '--redis', world.redis.path])).out).toMatch(/^orders +1 /m);
    // A console reads its queues once a second.
    await until(async () => Object.keys((await json(['stats'])).queues).length === 2, {
      what: 'both queues in the numbers of the console',
    });
    const first = await redrive(['stats', '--limit', '1']);
    const [, cursor = ''] = /There is more\. Continue with --cursor (\S+)/.exec(first.out) ?? [];
    const rest = await redrive(['stats', '--limit', '1', '--cursor', cursor]);
    expect(rest.out).toMatch(/^QUEUE +READY/m);
    expect(rest.out).not.toContain('There is more');
  });
});

describe('dead letters and operations', () => {
  test('searches, counts and groups', async () => {
    expect((await redrive(['dead', 'code:HTTP_503'])).out).toMatch(/^mail +a +dead/m);
    expect((await redrive(['dead', 'count'])).out).toMatch(/^type +mail.send +3$/m);
    const { groups } = await json(['dead', 'groups', 'queue:mail']);
    expect((await redrive(['dead', 'show', groups[0].group])).out).toMatch(/^code +HTTP_503$/m);
    expect((await redrive(['dead', 'mark', groups[0].group, '--status', 'resolved'])).out).toMatch(
      /^status +resolved$/m,
    );
  });

  test('previews without a change, refuses without a confirmation, re-drives, watches and undoes', async () => {
    const words = ['dead', 'redrive', 'code:HTTP_503', '--queue', 'mail'];
    const preview = await redrive([...words, '--dry-run']);
    expect(preview.out).toMatch(/^Re-drive: 3 jobs match\./);
    expect((await redrive(words)).code).toBe(2);
    expect((await redrive([...words, '--reason', 'back'])).code).toBe(7);
    expect((await json(['operations'])).operations).toEqual([]);
    const done = await redrive([...words, '--reason', 'back', '--rate', '100', '--yes', '--watch']);
    expect(done).toMatchObject({
      code: 0,
      out: expect.stringContaining('is completed: 3 re-driven, 0 skipped.'),
    });
    expect(done.err).toMatch(/\[=+ *\] 3 of 3 re-driven/);
    const { operations } = await json(['operations']);
    expect((await redrive(['operations', 'show', operations[0].id])).out).toContain('is completed');
    const undone = await redrive([
      'operations',
      'undo',
      operations[0].id,
      '--reason',
      'wrong',
      '--yes',
      '--watch',
    ]);
    expect(undone).toMatchObject({ code: 0, out: expect.stringContaining('3 recalled') });
    expect((await redrive(['operations', 'pause', operations[0].id])).code).toBe(3);
    const first = await redrive(['operations', '--limit', '1']);
    expect(first.out).toMatch(/\nThere is more\. Continue with --cursor \S+\n$/);
  });

  test('moves, edits, suppresses and purges selected jobs', async () => {
    const start = async (words: string[]) =>
      (await redrive([...words, '--reason', 'x', '--yes', '--watch'])).out;
    expect(await start(['dead', 'move', '--job', 'mail/a', '--to', 'orders'])).toContain('1 moved');
    const patch = '[{"op": "replace", "path": "/to", "value": 2}]';
    expect(await start(['dead', 'edit', '--job', 'mail/b', '--patch', patch])).toContain(
      '1 edited and re-driven',
    );
    expect(await start(['dead', 'suppress', '--job', 'mail/c'])).toContain('1 suppressed');
    expect(
      await start(['operations', 'start', 'purge', '--state', 'suppressed', '--job', 'mail/c']),
    ).toContain('1 moved to the trash');
    expect((await world.broker.inspect.job('mail', 'b')).payload).toBe('{"to":2}');
    // What `dead` offers, `operations start` does, too; the state is that of the kind.
    expect(await start(['operations', 'start', 'restore', '--job', 'mail/c'])).toContain('1 restored');
    const again = patch.replace('2}', '3}');
    expect(
      await start(['operations', 'start', 'edit', '--job', 'mail/c', '--patch', again, '--rate', '50']),
    ).toContain('1 edited and re-driven');
    expect((await world.broker.inspect.job('mail', 'c')).payload).toBe('{"to":3}');
    expect((await redrive(['dead', 'edit', '--job', 'mail/b', '--patch', '{}'])).code).toBe(2);
  });
});

test('schedules are made, changed, run, listed page by page and deleted', async () => {
  const body = { id: 'nightly', queue: 'mail', timing: { cron: '0 9 * * *' }, job: { jobType: 'mail.send' } };
  expect((await redrive(['schedules', 'create'], { input: JSON.stringify(body) })).out).toMatch(
    /^nightly +mail/m,
  );
  expect((await redrive(['schedules', 'change', 'nightly', '--data', '{"missed": "skip"}'])).code).toBe(0);
  expect((await redrive(['schedules', 'pause', 'nightly'])).out).toContain('paused');
  expect((await redrive(['schedules', 'resume', 'nightly'])).out).toContain('active');
  expect((await redrive(['schedules', 'run', 'nightly'])).out).toMatch(/^Enqueued /);
  expect((await json(['schedules'])).total).toBe(1);
  expect(
    (await redrive(['schedules', 'create', '--data', JSON.stringify({ ...body, id: 'nightly-2' })])).code,
  ).toBe(0);
  expect((await redrive(['schedules', '--limit', '1'])).out).toContain('There is more. Continue with');
  expect((await redrive(['schedules', 'delete', 'nightly', '--yes'])).out).toBe('Deleted nightly.\n');
});

describe('workers', () => {
  const ids = ['w-1', 'w-2'];
  const ask = (...words: string[]) => redrive(['workers', ...words, '--reason', 'a deploy']);

  test('are asked by name, or as a group that is confirmed by its number', async () => {
    for (const workerId of ids)
      await world.broker.workers.report({ ...IDLE_REPORT, workerId, version: '1.4', queues: { mail: 1 } });
    await world.broker.workers.report({ ...IDLE_REPORT, workerId: 'w-old', queues: { sms: 1 }, actions: [] });
    await until(async () => (await json(['workers'])).workers.length >= 3, {
      what: 'the workers to be listed',
    });
    expect(await ask('quiet', 'w-1')).toMatchObject({ code: 0, out: expect.stringMatching(/^w-1 +asked$/m) });
    const group = await ask('quiet', '--release', '1.4');
    expect(group).toMatchObject({ code: 7, out: '' });
    expect(group.err).toContain('quiet 2 workers with 0 jobs in flight.');
    const confirmed = await ask('quiet', '--release', '1.4', '--yes');
    expect(confirmed.out).toMatch(/^w-2 +asked$/m);
    expect(confirmed.out).toMatch(/^w-1 +asked before, or so already$/m);
    expect(await ask('resume', '--queue', 'mail', '--yes')).toMatchObject({ code: 0 });
  });

  test('that were not asked are named, with the code of a refusal', async () => {
    const all = await ask('quiet', '--all', '--yes');
    expect(all).toMatchObject({ code: 3, err: expect.stringContaining('1 worker not asked.') });
    expect(all.out).toMatch(/^w-old +not asked: its version takes no requests/m);
    expect(await ask('stop', 'w-none', '--yes')).toMatchObject({ code: 3 });
    expect((await ask('stop', 'w-1')).code).toBe(7);
    expect((await ask('quiet')).code).toBe(2);
    expect((await ask('quiet', 'w-1', '--all')).code).toBe(2);
    expect((await ask('quiet', '--host', 'nowhere')).code).toBe(4);
  });
});

test('alerts are silenced for a while; a channel or an alert that is not there ends with its code', async () => {
  expect((await redrive(['alerts'])).out).toContain('There are no alerts.');
  const silence = [
    'alerts',
    'silence',
    '--code',
    'DEEP',
    '--queue',
    'mail',
    '--for',
    '2h',
    '--reason',
    'import',
  ];
  const [, id = ''] = /^Silence (\S+) until /.exec((await redrive(silence)).out) ?? [];
  expect((await redrive(['alerts'])).out).toMatch(new RegExp(`^${id} +DEEP +mail .* import$`, 'm'));
  expect((await redrive(['alerts', 'unsilence', id])).out).toBe(`Ended silence ${id}.\n`);
  expect((await redrive(['alerts', 'ended'])).out).toContain('No ended alert is on record.');
  expect((await redrive(['alerts', 'deliveries'])).out).toContain('No message is on record.');
  expect((await redrive(['alerts', 'acknowledge', 'gone'])).code).toBe(4);
  expect((await redrive(['alerts', 'test', 'gone'])).code).toBe(4);
  expect((await redrive(['alerts', 'silence', '--for', '1h', '--reason', 'x'])).code).toBe(3);
});

test('workers and the audit log are read', async () => {
  expect((await redrive(['workers'])).code).toBe(0);
  expect((await redrive(['audit', '--action', 'queue.pause'])).out).toContain('provider is down');
  expect((await redrive(['audit', 'head'], { env: { REDIS_URL: world.redis.path } })).out).toMatch(
    /^\d+ [0-9a-f]{64}/,
  );
  expect((await redrive(['audit', 'verify'], { env: { REDIS_URL: world.redis.path } })).out).toContain(
    'holds',
  );
});

describe('users and tokens', () => {
  const revoke = ['tokens', 'revoke', 'gone', '--yes'];
  const disable = ['users', 'disable', 'local:ann', '--reason', 'a test', '--yes'];

  test.each([
    [['users']],
    [['tokens']],
    [['tokens', 'create', 'ci', '--role', 'viewer']],
    [revoke],
    [disable],
  ])(
    'of a console with a sign-in method are on its page Access, with a token or without: %j',
    async (words) => {
      for (const REDRIVE_TOKEN of [env.REDRIVE_TOKEN ?? '', '']) {
        const { code, out, err } = await redrive(words, { env: { REDRIVE_TOKEN } });
        expect([code, out]).toEqual([5, '']);
        expect(err).toMatch(/AUTH=none.* page Access\. Nothing was changed\. \(request \w+\)\n$/);
      }
    },
  );

  test('of a console with AUTH=none are listed, made and changed without a token', async () => {
    const { AUTH } = process.env;
    process.env.AUTH = 'none';
    try {
      const ask = (words: string[]) => redrive(words, { env: { REDRIVE_TOKEN: '' } });
      expect((await ask(['users'])).out).toMatch(/^local:ann +ann .* active$/m);
      const created = await ask(['tokens', 'create', 'ci', '--role', 'viewer', '--days', '1']);
      expect(created).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^rdt_\S+\n$/) });
      const [, id = ''] = /^(\S+) +ci .*viewer of \*.* valid$/m.exec((await ask(['tokens'])).out) ?? [];
      expect((await ask(['tokens', 'revoke', id, '--yes'])).out).toBe(`Revoked ${id}.\n`);
      expect((await ask(revoke)).code).toBe(4);
      expect((await ask(disable)).out).toBe('ann is disabled.\n');
      expect((await ask(disable.with(1, 'enable'))).out).toBe('ann is enabled.\n');
    } finally {
      process.env.AUTH = AUTH;
    }
  });

  test('are listed, disabled and enabled straight at Redis, with the change in the audit log', async () => {
    const at = ['--redis', world.redis.path];
    const ask = (words: string[]) =>
      redrive([...words, ...at], { env: { REDRIVE_URL: '', REDRIVE_TOKEN: '', USER: 'ann-at-host' } });
    expect((await ask(['users'])).out).toMatch(/^local:ann +ann +\d+ .* active$/m);
    expect((await ask(disable)).out).toBe('ann is disabled.\n');
    expect((await ask(['users'])).out).toMatch(/^local:ann +ann +0 .* disabled$/m);
    expect((await ask(disable.with(1, 'enable'))).out).toBe('ann is enabled.\n');
    const unknown = await ask(disable.with(2, 'local:nobody'));
    expect(unknown).toMatchObject({ code: 4, err: expect.stringContaining('knows no user local:nobody') });
    await world.broker.audit.collect({ thorough: true });
    const { events } = await world.broker.audit.list({ limit: 100 });
    expect(events.filter(({ actor }) => actor === 'ann-at-host by redrive users --redis')).toMatchObject([
      { reason: 'a test' },
      { reason: 'a test' },
    ]);
  });
});

test('any request of the API can be sent', async () => {
  const me = await redrive(['api', 'GET', '/api/v1/me']);
  expect(JSON.parse(me.out).method).toBe('token');
  const body = '{"kind": "deploy", "text": "3.1"}';
  expect((await redrive(['api', 'POST', '/api/v1/marks', '--data', body, '--yes'])).out).toContain(
    '"deploy"',
  );
  expect((await redrive(['api', 'GET', '/api/v1/nothing'])).code).toBe(2);
  // A stream of lines passes through as it arrives.
  const stream = await redrive(['api', 'GET', '/api/v1/find/stream?q=o-2']);
  expect(stream).toMatchObject({ code: 0, err: '', out: expect.stringContaining('\n') });
});

test('a change without an answer names the key to send it with again', async () => {
  const words = ['enqueue', 'mail', '--type', 'a', '--idempotency-key', 'invoice-7'];
  const { code, err } = await redrive(words, { env: { REDRIVE_URL: 'http://127.0.0.1:1' } });
  expect(code).toBe(6);
  expect(err).toContain('Send it again with --idempotency-key invoice-7 and it takes effect once.');
});

test('each kind of failure has its exit code and a sentence', async () => {
  const codes = async (words: string[], more = {}) => {
    const { code, err } = await redrive(words, { env: more });
    return [code, err.split('\n')[0]];
  };
  expect(await codes(['queues', 'show', 'nothing'])).toEqual([
    4,
    expect.stringMatching(/nothing.*\(request /),
  ]);
  expect(await codes(['queues'], { REDRIVE_TOKEN: 'rdt_wrong' })).toEqual([
    5,
    expect.stringContaining('REDRIVE_TOKEN'),
  ]);
  expect(await codes(['queues'], { REDRIVE_URL: 'http://127.0.0.1:1' })).toEqual([
    6,
    'The console at http://127.0.0.1:1 cannot be reached.',
  ]);
  expect(await codes(['queues'], { REDRIVE_URL: '' })).toEqual([2, expect.stringContaining('REDRIVE_URL')]);
  expect(await codes(['queues', '--limit', 'x'])).toEqual([
    2,
    expect.stringContaining('Write a whole number.'),
  ]);
  expect((await redrive(['nothing'])).code).toBe(2);
});
