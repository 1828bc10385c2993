/** docs/runbook.md: the words that it says a command prints, in *italics* under "How to tell", are in what the command prints. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { queueText } from '@/cli/commands/queue-text';
import { runRedrive } from '@/cli/run-redrive';
import { fixtureTerminal } from '@/cli/terminal/fixture-terminal';
import { createSchedule } from '@/lib/broker/schedules/manage-schedules';
import { tickSchedules } from '@/lib/broker/schedules/tick-schedules';
import { until } from '@/testing/poll';
import { IDLE_REPORT } from '@/testing/records/idle-worker';
import { setUpConsole } from '@/testing/worlds/console-server';
import { CALM_QUEUE } from '@/testing/worlds/queue-snapshot';
import { failure, killAll } from '@/testing/worlds/world';
import { type RouteServer, startRouteServer } from './route-server';

const MINUTE_MS = 60_000;
const BY = { actor: 'ann', reason: 'provider is down' };
const RUNBOOK = readFileSync(join(import.meta.dirname, '../../docs/runbook.md'), 'utf8');
const COMMAND = /`(redrive [^`]+)`/g;

interface Claim {
  readonly code: string;
  readonly line: string;
  /** The words that follow the command, up to the next one. */
  readonly words: readonly string[];
}

const claims: Claim[] = RUNBOOK.split(/^## /m).flatMap((section) => {
  const code = section.slice(0, section.indexOf('\n'));
  const text = /\*\*How to tell\.\*\*([\s\S]*?)\n\n/.exec(section)?.[1] ?? '';
  const commands = [...text.matchAll(COMMAND)];
  return commands.map(({ 1: line = '', index }, i) => {
    const after = text.slice(index, commands[i + 1]?.index);
    return { code, line, words: [...after.matchAll(/\*([^*]+)\*/g)].map(([, word = '']) => word) };
  });
});

/** What the trouble of the section looks like, in the world below. */
const VALUES: Readonly<Record<string, RegExp>> = {
  LEDGER: /^difference +0$/m,
  SHARDS: /^shards +1$/m,
  WORKERS_GONE: /^w-gone +crashed +SIGKILL /m,
  BREAKER: /mail\.send open after 5 failures, until \d{4}-/,
  OVERDUE: /^mail +running +in-flight /m,
  FULL: /^depth +[1-9] of at most 5,000$/m,
  EXPIRING: /^oldest dead expires +\d{4}-/m,
  OPERATION: /^\S+ +redrive +(running|completed) /m,
  MISSED: /^nightly +mail .*Z +missed +\d{4}-/m,
  DRAINING: /^\S+Z .*drain.* provider is down$/m,
  PAUSED: /^type:mail\.send .*Z +\S+Z +provider is down$/m,
};

const world = await setUpConsole();
let server: RouteServer;
afterAll(() => server.stop());

/** Runs a line as a shell reads it. */
async function outputOf(line: string): Promise<string> {
  const words = execFileSync('bash', ['-c', `redrive() { printf '%s\\0' "$@"; }; ${line}`]);
  const terminal = fixtureTerminal({ REDRIVE_URL: server.url, REDIS_URL: world.redis.path });
  await runRedrive(words.toString().split('\0').slice(0, -1), terminal);
  return terminal.output();
}

beforeAll(async () => {
  process.env.REDRIVE_RATE_FACTOR = '1000';
  server = await startRouteServer();
  // Some checks are of the append-only file.
  await world.redis.connect().config('SET', 'appendonly', 'yes');
  const dead = ['a', 'b'].map((jobId) => ({ jobId, jobType: 'mail.send' }));
  await killAll(world.broker, 'mail', dead, failure('HTTP_503'));
  await world.broker.enqueue('mail', { jobId: 'running', jobType: 'mail.send' });
  await world.broker.claim('mail', { worker: 'w-1', leaseMs: 10 * MINUTE_MS });
  await world.broker.enqueue('mail', { jobId: 'waiting', jobType: 'mail.send' });
  await world.broker.workers.report({
    ...IDLE_REPORT,
    queues: { mail: 1 },
    breakers: [{ jobType: 'mail.send', state: 'open', failures: 5, retryAt: Date.now() + 60_000 }],
  });
  await world.broker.workers.report({ ...IDLE_REPORT, workerId: 'w-gone' });
  await world.broker.workers.ended('w-gone', 'crashed', { at: Date.now(), cause: 'SIGKILL', reclaimed: 0 });
  // Due half an hour ago, when no scheduler ran.
  const earlier = world.brokerAt(() => Date.now() - 90 * MINUTE_MS);
  const nightly = {
    id: 'nightly',
    queue: 'mail',
    timing: { everyMs: 60 * MINUTE_MS },
    missed: 'skip',
  } as const;
  await createSchedule(earlier, { ...nightly, job: { jobType: 'report' } }, BY);
  await tickSchedules(world.broker);
  for (const line of [
    `redrive settings set mail depthLimit=5000 deadKeepMs=3600000 --reason "${BY.reason}" --yes`,
    `redrive pause mail --scope type:mail.send --for 30m --reason "${BY.reason}"`,
    `redrive dead redrive --job mail/a --reason "${BY.reason}" --yes`,
    `redrive drain mail --reason "${BY.reason}"`,
  ])
    await outputOf(line);
  // A console reads its queues once a second.
  await until(async () => /^draining +yes$/m.test(await outputOf('redrive queues show mail')), {
    what: 'the drained queue in the numbers of the console',
  });
});

test('the page names commands, and words of their output', () => {
  expect(claims.length).toBeGreaterThan(15);
  for (const code of Object.keys(VALUES)) expect(claims.map((claim) => claim.code)).toContain(code);
});

test.each(claims)('$code: $line prints $words', async ({ code, line, words }) => {
  const output = await outputOf(line);
  for (const word of words) expect(output).toContain(word);
  const value = VALUES[code];
  const first = claims.find((claim) => claim.code === code);
  if (value !== undefined && first?.line === line) expect(output).toMatch(value);
});

test('SHARDS: those that cannot be read are named', () => {
  const text = queueText({ ...CALM_QUEUE, shards: { count: 4, unavailable: [1, 3] } });
  expect(text).toMatch(/^shards +4, unavailable: 1, 3 /m);
});
