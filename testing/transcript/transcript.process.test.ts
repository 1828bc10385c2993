/**
 * T1 to T9 by command line alone, against a built console with a real worker on a real Redis. The transcript is docs/cli/transcript.md:
 * `vitest -u` writes it anew. Needs the build.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paths } from '@/lib/contract/api-paths';
import { until } from '@/testing/poll';
import { setUpRedriveCommand } from '@/testing/transcript/redrive-command';
import { Processes, requireBuild, type Spawned } from '@/testing/worlds/processes';
import { type RealConsole, startRealConsole, type TestUser } from '@/testing/worlds/real-console';
import { startRedisOnPort, type TestRedis } from '@/testing/worlds/redis-server';
import { setUpProgram } from '@/testing/worlds/set-up-program';
import { maskedText } from './transcript-text';

const PAGE = join(import.meta.dirname, '../../docs/cli/transcript.md');
const ANN: TestUser = {
  name: 'Ann',
  password: 'violet kettle harbor nineteen',
  grants: [{ role: 'admin', queues: ['*'], tenants: null }],
};

requireBuild();
const command = await setUpRedriveCommand();
const program = await setUpProgram(new URL('./mail-worker.ts', import.meta.url));
const processes = new Processes();
let redis: TestRedis & { readonly url: string };
let dir: string;
let outage: string;
let env: Record<string, string>;
let worker: Spawned;

/** The page, line by line. */
const page: string[] = [];
const write = (...lines: string[]) => page.push(...lines);
const chapter = (title: string, text: string) => write(`## ${title}`, '', text, '');

const startWorker = async (id: string, queues = 'mail,orders'): Promise<Spawned> => {
  const started = processes.node([program, redis.url, id, outage, queues]);
  await started.prints(/^up /m);
  return started;
};

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'redrive-transcript-'));
  outage = join(dir, 'provider-is-down');
  redis = await startRedisOnPort(['--appendonly', 'yes']);
  const console = await startRealConsole(processes, {
    redisUrl: redis.url,
    users: [ANN],
    env: { LOG_LEVEL: 'silent' },
  });
  env = { REDRIVE_URL: console.url, REDRIVE_TOKEN: await tokenOf(console) };
}, 120_000);
afterAll(async () => {
  await processes.stopAll();
  await redis.stop();
  await rm(dir, { recursive: true, force: true });
});

async function tokenOf(console: RealConsole): Promise<string> {
  const answer = await console.ask(paths.tokens(), {
    method: 'POST',
    headers: await console.signIn(ANN),
    body: { name: 'runbook', grants: ANN.grants },
  });
  expect(answer.status, answer.text).toBe(201);
  return String(answer.json().token);
}

interface Expected {
  /** What its output must match. */
  readonly shows?: RegExp;
  readonly code?: number;
  /** Facts of its output whose values depend on the moment. */
  readonly varying?: readonly string[];
}

/** The words of a shell line; quotes are single ones. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

/** Runs a line. @throws Error when it does not end or show what it must */
async function run(line: string, { shows, code = 0 }: Expected) {
  const ended = await command.run(wordsOf(line), { env });
  if (ended.code === code && (shows === undefined || shows.test(ended.out + ended.err))) return ended;
  throw new Error(
    `redrive ${line} ended with ${ended.code}, not as ${shows} ${code}:\n${ended.out}${ended.err}`,
  );
}

/** A line that changes something, into the transcript. */
async function change(line: string, expected: Expected = {}): Promise<void> {
  record(line, await run(line, expected), expected);
}

/** A line that reads, again and again until it shows what it must. */
async function look(line: string, expected: Expected): Promise<string> {
  const what = `redrive ${line} to show ${expected.shows}`;
  const ended = await until(() => run(line, expected), { what, timeoutMs: 30_000, everyMs: 250 });
  record(line, ended, expected);
  return ended.out;
}

function record(line: string, { out, err }: { out: string; err: string }, expected: Expected): void {
  const { code = 0, varying } = expected;
  // How often a progress bar was drawn depends on the machine.
  const errors = err
    .split('\n')
    .filter((text) => !text.startsWith('['))
    .join('\n');
  const output = maskedText(`${out}${errors}`, varying);
  write('```console', `$ redrive ${maskedText(line)}`, ...(output === '' ? [] : [output]), '```', '');
  if (code !== 0) write(`It ends with ${code}.`, '');
}

/** Runs lines that are no part of what is shown. */
async function prepare(...lines: string[]): Promise<void> {
  for (const line of lines) await run(line, {});
}

test('T1 to T9 by command line', async () => {
  write(
    '# Nine tasks by command line',
    '',
    'What operators come to do, by [`redrive`](commands.md) alone. A test runs these commands against a console, a worker and a Redis of their own',
    'and compares their output with this page (`testing/transcript`). What differs each time stands in angle brackets; progress bars are left out.',
    '',
  );
  const mails = Array.from({ length: 12 }, (_, i) => ({
    jobId: `m-${i + 1}`,
    jobType: 'mail.send',
    payload: { to: 'ann@example.com' },
    maxAttempts: 1,
  }));
  writeFileSync(outage, '');
  worker = await startWorker('worker-1');
  await prepare(`api POST /api/v1/queues/mail/jobs --data '${JSON.stringify({ jobs: mails })}' --yes`);

  chapter('T1: is anything wrong', 'Findings first, then the queues, the worst one first.');
  await look('queues', { shows: /^! [\s\S]*^mail .* 12 /m });

  chapter('T2: what fails, and why', 'Dead letters by failure, one of the groups, and one of its jobs.');
  const groups = await look('dead groups', { shows: /^[0-9a-f]+ +12 +open/m });
  const [group = ''] = /^[0-9a-f]+(?= +12)/m.exec(groups) ?? [];
  await look(`dead show ${group}`, { shows: /^code +HTTP_503$/m });
  await look('jobs show mail m-1', { shows: /^state +dead$/m });

  chapter(
    'T3: stop the bleeding',
    'The type waits; other jobs of the queue go on. It resumes by itself after 30 minutes.',
  );
  await change(`pause mail --scope type:mail.send --for 30m --reason 'provider is down'`, {
    shows: /type:mail\.send/,
  });
  await change(`enqueue mail --type mail.send --id m-13 --payload '{"to":"bob@example.com"}'`);
  await look('jobs list mail --state held', { shows: /m-13/ });

  chapter(
    'T4: put the dead back',
    'First what would happen. Without a terminal and without `--yes` nothing is changed.',
  );
  await look('dead redrive code:HTTP_503 --queue mail --dry-run', { shows: /^Re-drive: 12 jobs match/m });
  await change(`dead redrive code:HTTP_503 --queue mail --reason 'provider is back'`, { code: 7 });
  write('The provider is still down. Two jobs go first, die again, and the others stay where they are:', '');
  await prepare('jobs cancel mail m-13 --yes', 'resume mail --scope type:mail.send');
  const stopped = `dead redrive code:HTTP_503 --queue mail --canary 2 --rate 50 --reason 'provider is back' --yes --watch`;
  await change(stopped, { code: 8, shows: /is paused/ });
  const { out } = await command.run(['operations', 'list', '--status', 'paused', '--json'], { env });
  const [{ id }] = JSON.parse(out).operations;
  await change(`operations cancel ${id} --reason 'provider is still down'`, { shows: /is cancelled/ });
  write('Once it is back:', '');
  rmSync(outage);
  await change(stopped, { shows: /is completed: 12 re-driven/ });
  await look('operations list', { shows: /completed[\s\S]*cancelled/ });

  chapter(
    'T5: a crash lost nothing',
    'A worker is killed while it runs a job. The job comes back when its lease expires, and runs in another worker. Jobs enqueued are jobs in every state and jobs deleted: `difference` is 0.',
  );
  await change(`enqueue orders --type order.pay --id o-1 --payload '{"order":1,"slow":true}'`);
  await look('workers jobs worker-1', { shows: /o-1/ });
  worker.kill('SIGKILL');
  await startWorker('worker-2');
  await look('jobs show orders o-1', { shows: /^state +completed$[\s\S]*lost/m });
  await look('workers', { shows: /worker-1 +lost/ });
  await look('queues show orders', {
    shows: /^completed +1$[\s\S]*^enqueued +1$[\s\S]*^difference +0$[\s\S]*^workers +1$/m,
    // The verdict may still name the lost run.
    varying: ['state'],
  });

  chapter(
    'T6: when the backlog is gone',
    'Arrival, speed and the time to drain, of the last minute. Here no worker listens to the queue.',
  );
  await prepare(...[1, 2, 3].map((n) => `enqueue reports --type report.make --id r-${n}`));
  await look('queues show reports', {
    shows: /^ready +3$[\s\S]*^difference +0$[\s\S]*never: no worker listens/m,
  });
  write('Hundreds more arrive at once, and a worker is started for them:', '');
  const reports = Array.from({ length: 600 }, (_, i) => ({ jobId: `b-${i + 1}`, jobType: 'report.make' }));
  await prepare(`api POST /api/v1/queues/reports/jobs --data '${JSON.stringify({ jobs: reports })}' --yes`);
  await startWorker('worker-3', 'reports');
  await look('queues show reports', {
    shows:
      /^enqueued +603$[\s\S]*^difference +0$[\s\S]*^time to drain +[\d.]+ m?s, shrinking$[\s\S]*^workers +1$/m,
    varying: ['state', 'ready', 'in-flight', 'completed', 'depth', 'run time p95'],
  });

  chapter(
    'T7: find one job',
    'By its id, uniqueness key or idempotency key in one lookup; with `--all` by correlation id or trace id, among all jobs.',
  );
  await look('jobs find m-3', { shows: /^mail +m-3 +completed/m });
  await change(
    `api POST /api/v1/queues/orders/jobs --data '{"jobId":"o-5","jobType":"order.pay","payload":{"order":5},"correlationId":"cart-77","traceId":"4bf92f3577b34da6a3ce929d0e0e4736"}' --yes`,
    { shows: /o-5/ },
  );
  await look('jobs find --all cart-77', { shows: /^orders +o-5 +completed/m });
  await look('jobs find --all 4bf92f3577b34da6a3ce929d0e0e4736', { shows: /^orders +o-5 +completed/m });

  chapter(
    'T8: who did what',
    'Each change has its user, or the user and their token, the reason and the result.',
  );
  await look('audit --action queue.pause', { shows: /provider is down/ });
  await look('audit --action operation.start', { shows: /operation\.start[\s\S]*operation\.start/ });
  await look('audit --action operation.cancel', { shows: /still down/ });

  chapter(
    'T9: all of it for programs',
    'Every reply as JSON, every route of the API, and an exit code for each kind of refusal.',
  );
  await look('settings show mail --json', { shows: /"config"/ });
  await change(`pause mail --scope tenant:acme --reason 'a test' --json`, { shows: /"tenant:acme"/ });
  await prepare('resume mail --scope tenant:acme');
  await look('queues show nothing', { code: 4 });
  await change(`jobs cancel mail m-1`, { code: 7 });
  await expect(`${page.join('\n').trim()}\n`).toMatchFileSnapshot(PAGE);
}, 240_000);
