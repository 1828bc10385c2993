/** The demo worker as real processes: what is killed is really killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LabSettings } from '@/lib/contract/lab/lab-schemas';
import { type Lab, openLab } from '@/lib/lab/open-lab';
import { type Broker, createBroker } from '@/testing/create-broker';
import { LAB_DEFAULTS, LAB_QUEUES } from '../lib/contract/lab/lab-settings';
import { until } from '../testing/poll';
import { expectWithin } from '../testing/time-limit';
import { isAlive } from '../testing/worlds/processes';
import { setUpRedis } from '../testing/worlds/set-up-redis';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const QUIET: LabSettings = {
  ...LAB_DEFAULTS,
  workers: 2,
  concurrency: 2,
  runTimeMs: 20,
  failPercent: 0,
  trafficPerSecond: 0,
};
const redis = await setUpRedis(['--appendonly', 'yes', '--appendfsync', 'always']);
let broker: Broker;
let lab: Lab;
/** Supervisors of which something still runs: itself or a worker of it. */
const supervisors = new Set<ChildProcess>();
/** The workers a test looked at. */
const pids = new Set<number>();

beforeAll(async () => {
  broker = createBroker({ redis: redis.connect({ commandTimeout: 5_000 }) });
  lab = openLab({ redis: redis.connect({ commandTimeout: 5_000 }) });
});
beforeEach(async () => {
  await redis.connect().flushall();
});
afterEach(async () => {
  for (const pid of pids) if (isAlive(pid)) process.kill(pid, 'SIGCONT');
  // Also those no test looked at: one that lives on would register itself in the Redis of the next test.
  for (const child of supervisors) child.kill('SIGKILL');
  await until(() => supervisors.size === 0, { what: 'every process to be gone', timeoutMs: 30_000 });
  pids.clear();
  for (const queue of Object.keys(LAB_QUEUES)) {
    const { difference, strayRows } = await broker.inspect.ledger(queue);
    expect({ queue, difference, strayRows }).toEqual({ queue, difference: 0, strayRows: 0 });
  }
});

/** The bundle that `scripts/build.mjs --worker` makes, without a process group of its own: only the code under test ends its children. */
function supervisor(env: Record<string, string> = {}, ipc = false) {
  let output = '';
  const child = spawn(process.execPath, ['dist/worker/index.js'], {
    cwd: ROOT,
    env: { ...process.env, REDIS_URL: redis.path, LOG_LEVEL: 'warn', ...env },
    stdio: ipc ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  supervisors.add(child);
  // Its children write to the same pipe, which closes when the last of them is gone.
  // The child's own `close` event never comes after a `disconnect`.
  child.stdout?.once('close', () => supervisors.delete(child));
  const exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  return { child, exited, output: () => output };
}

/** The slots, once `count` of them run. */
const running = (count: number) =>
  until(
    async () => {
      const slots = (await lab.state()).supervisor?.slots ?? [];
      for (const { pid } of slots) if (pid) pids.add(pid);
      return slots.length === count && slots.every(({ status }) => status === 'running') ? slots : null;
    },
    { what: `${count} running workers`, timeoutMs: 60_000 },
  );
const enqueue = async (more: object = {}) =>
  (await broker.enqueue('default', { jobType: 'email.send', payload: '{"to":"a@example.com"}', ...more }))
    .jobId;
const becomes = (jobId: string, state: string, timeoutMs = 60_000) =>
  until(
    async () => {
      const job = await broker.inspect.job('default', jobId);
      return job?.state === state ? job : null;
    },
    { what: `${jobId} to be ${state}`, timeoutMs },
  );
const inFlight = async () =>
  (await broker.inspect.snapshot(Object.keys(LAB_QUEUES))).reduce(
    (sum, { counts }) => sum + counts['in-flight'],
    0,
  );

describe('a crash', () => {
  it('is seen, taken back long before its lease ends, recorded, and the worker replaced', async () => {
    await redis.connect().hset('rd:{default}:config', 'maxDeliveries', 50);
    await lab.save({ ...QUIET, workers: 1, crashPercent: 100, leaseMs: 60_000 });
    supervisor();
    const [before] = await running(1);
    const jobId = await enqueue({ maxAttempts: 50 });
    const crash = await until(async () => (await lab.state()).crashes.at(-1), {
      what: 'a crash',
      timeoutMs: 60_000,
    });
    expect(crash).toMatchObject({
      workerId: before?.workerId,
      pid: before?.pid,
      cause: 'SIGKILL',
      reclaimed: 1,
    });
    expect(crash.jobs).toEqual([{ queue: 'default', jobId, leaseUntil: null }]);

    await lab.save({ ...QUIET, workers: 1, leaseMs: 60_000 });
    const job = await becomes(jobId, 'completed');
    // All of it within one lease: no lease ran out by itself.
    expect(job.history.filter(({ kind }) => kind === 'lost').map(({ errorCode }) => errorCode)).toEqual(
      Array.from({ length: job.leaseLosses }, () => 'WORKER_SIGKILL'),
    );
    expect((job.result?.completedAt ?? 0) - job.envelope.createdAt).toBeLessThan(60_000);
    // The supervisor reports twice a second: the whole of it may fit between two reports.
    const after = await until(
      async () => {
        const [slot] = await running(1);
        return slot && slot.workerId !== before?.workerId ? slot : null;
      },
      { what: 'the replacement to be reported', timeoutMs: 60_000 },
    );
    expect(after.crashes).toBeGreaterThanOrEqual(1);
    expect(after.lastCrash).toMatchObject({ cause: 'SIGKILL' });
    const known = (await broker.workers.list()).workers.find(({ workerId }) => workerId === before?.workerId);
    expect(known).toMatchObject({ status: 'crashed', end: { cause: 'SIGKILL', reclaimed: 1 } });
  });
});

describe('a worker that is frozen', () => {
  it('loses its job to another, and changes nothing when it thaws', async () => {
    await lab.save({
      ...QUIET,
      concurrency: 1,
      runTimeMs: 3_000,
      runTimeSpreadPercent: 0,
      // Long enough that no stall of the machine takes it from the worker that lives.
      leaseMs: 5_000,
    });
    supervisor();
    const slots = await running(2);
    const jobId = await enqueue();
    const pidOf = (workerId: string | undefined) =>
      slots.find((slot) => slot.workerId === workerId)?.pid ?? 0;
    const frozen = (await becomes(jobId, 'in-flight')).claim?.worker;
    process.kill(pidOf(frozen), 'SIGSTOP');
    const other = await until(
      async () => {
        const worker = (await broker.inspect.job('default', jobId))?.claim?.worker;
        return worker !== frozen && worker;
      },
      { what: 'the other worker to take over', timeoutMs: 30_000 },
    );
    process.kill(pidOf(frozen), 'SIGCONT');
    const job = await becomes(jobId, 'completed');
    expect(job.result?.worker).toBe(other);
    expect(job.deliveries).toBe(2);
    expect((await broker.inspect.snapshot(['default']))[0]?.totals).toMatchObject({
      completed: 1,
      reclaimed: 1,
      failed: 0,
    });
    expect((await lab.state()).crashes).toEqual([]);
  });
});

describe('a supervisor that is killed', () => {
  it('leaves no child behind, and its jobs come back when their leases end', async () => {
    await lab.save({ ...QUIET, runTimeMs: 30_000, leaseMs: 1_500 });
    const first = supervisor();
    await running(2);
    const ids = await Promise.all([1, 2, 3].map(() => enqueue()));
    await until(async () => (await inFlight()) === 3, { what: 'the jobs to run' });
    first.child.kill('SIGKILL');
    await until(() => [...pids].every((pid) => !isAlive(pid)), {
      what: 'the children to leave',
      timeoutMs: 30_000,
    });

    await lab.save({ ...QUIET, leaseMs: 1_500 });
    supervisor();
    for (const id of ids) {
      const job = await becomes(id, 'completed');
      expect(job.history.find(({ kind }) => kind === 'lost')).toMatchObject({ errorCode: 'LEASE_EXPIRED' });
    }
  });
});

describe('a supervisor that is told to stop', () => {
  it('leaves no process, no job in flight and no attempt burnt', async () => {
    await lab.save({ ...QUIET, runTimeMs: 30_000, leaseMs: 60_000 });
    const { child, exited } = supervisor();
    await running(2);
    const ids = await Promise.all([1, 2, 3].map(() => enqueue()));
    await until(async () => (await inFlight()) === 3, { what: 'the jobs to run' });
    const askedAt = performance.now();
    child.kill('SIGTERM');
    expect(await exited).toEqual({ code: 0, signal: null });
    await expectWithin(performance.now() - askedAt, 5_000);
    expect([...pids].filter(isAlive)).toEqual([]);
    expect(await inFlight()).toBe(0);
    for (const id of ids) expect(await becomes(id, 'ready')).toMatchObject({ attempt: 0, leaseLosses: 0 });
    // Its goodbye has half a second; where that was too short, it is forgotten a little later.
    await until(async () => (await lab.state()).supervisor === null, {
      what: 'the supervisor to be gone',
      timeoutMs: 30_000,
    });
    expect((await lab.state()).crashes).toEqual([]);
    expect((await broker.workers.list()).workers.map(({ status }) => status)).toEqual(['stopped', 'stopped']);
  });

  it('does the same when the process that started it is gone', async () => {
    await lab.save(QUIET);
    const { child, exited } = supervisor({}, true);
    await running(2);
    child.disconnect();
    expect(await exited).toEqual({ code: 0, signal: null });
    expect([...pids].filter(isAlive)).toEqual([]);
  });

  it('says what is missing when it cannot start', async () => {
    const { exited, output } = supervisor({ REDIS_URL: '' });
    expect(await exited).toEqual({ code: 1, signal: null });
    expect(output()).toMatch(/^REDIS_URL is missing: set it to/);
  });
});

describe('the lab', () => {
  it('changes the number of workers live, and other settings without restarting anyone', async () => {
    await lab.save({ ...QUIET, workers: 1 });
    supervisor();
    const [first] = await running(1);
    await lab.save({ ...QUIET, workers: 3, concurrency: 7, leaseMs: 20_000 });
    const three = await running(3);
    expect(three[0]).toMatchObject({ pid: first?.pid, workerId: first?.workerId });
    await until(
      async () =>
        (await broker.workers.list()).workers.every((one) => one.concurrency === 7 && one.leaseMs === 20_000),
      { what: 'the new concurrency and lease' },
    );
    await lab.save({ ...QUIET, workers: 0 });
    await until(() => [...pids].every((pid) => !isAlive(pid)), {
      what: 'all workers to leave',
      timeoutMs: 30_000,
    });
    expect((await lab.state()).crashes).toEqual([]);
  });

  it('makes traffic of every kind, and bursts', async () => {
    await lab.save({
      ...QUIET,
      workers: 0,
      trafficPerSecond: 100,
      delayedPercent: 20,
      failPercent: 50,
    });
    supervisor();
    expect(await lab.requestBurst({ jobs: 1_500 })).toBe(true);
    const queues = Object.keys(LAB_QUEUES);
    await until(
      async () =>
        (await broker.inspect.snapshot(queues)).reduce((sum, { totals }) => sum + totals.enqueued, 0) > 1_800,
      { what: 'the burst and some traffic', timeoutMs: 60_000 },
    );
    const readings = await broker.inspect.snapshot(queues);
    expect(readings.every(({ counts }) => counts.ready > 0 && counts.scheduled > 0)).toBe(true);
    expect((await lab.state()).supervisor?.enqueued).toBeGreaterThanOrEqual(1_500);
  });

  it('keeps its workers while Redis is away, and goes on when it is back', async () => {
    await lab.save(QUIET);
    const { child } = supervisor();
    const before = (await running(2)).map(({ pid }) => pid);
    await redis.kill();
    await new Promise((resolve) => setTimeout(resolve, 1_500)); // An outage lasts; this is how long.
    expect(before.every((pid) => pid !== null && isAlive(pid))).toBe(true);
    await redis.restart();
    const jobId = await until(() => enqueue(), { what: 'Redis to take a job', timeoutMs: 30_000 });
    await becomes(jobId, 'completed');
    expect((await running(2)).map(({ pid }) => pid)).toEqual(before);
    expect(child.exitCode).toBeNull();
  });
});
