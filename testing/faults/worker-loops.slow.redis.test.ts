/**
 * B9: one refusal of Redis at the wrong moment, and a loop was never armed again. Here every kind of refusal is provoked for
 * real while a worker is busy with all its loops, is kept up until each of them has met it, and is mended; all must go on.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { beforeAll, describe, expect, it } from 'vitest';
import { RetryableError } from '@/lib/worker/run/job-errors';
import { createBroker } from '@/testing/create-broker';
import { until } from '../poll';
import { type AtWork, setUpWorkshop } from '../worlds/workers';

const BACKLOG = 60_000;
const shop = await setUpWorkshop(['--enable-debug-command', 'local', '--enable-protected-configs', 'local']);
let redis: Redis;
let at: AtWork;
let longJob: string;
let finish: (value: unknown) => void = () => undefined;
/** The worker's connection gives up this soon. */
const TIMEOUT_MS = 400;

beforeAll(async () => {
  redis = shop.redis.connect();
  const broker = createBroker({
    redis: shop.redis.connect({ commandTimeout: TIMEOUT_MS, reconnectOnError: readonly }),
  });
  for (let i = 0; i < BACKLOG; i += 1_000)
    await shop.broker.enqueueMany(
      shop.queue,
      Array.from({ length: 1_000 }, () => ({ jobType: 'demo.run', payload: '{}' })),
    );
  longJob = await shop.enqueue({ payload: '{"n":1}', priority: 10, timeoutMs: 3_600_000 });
  at = shop.work(
    ({ n }, { attempt }) => {
      if (n === 1) return new Promise((resolve) => (finish = resolve));
      if (n === 2 && attempt === 1) throw new RetryableError('ONCE', 'the first attempt fails');
      return new Promise((resolve) => setTimeout(resolve, 10));
    },
    { on: broker, concurrency: 4, leaseMs: 30_000 },
  );
  await until(async () => (await shop.detail(longJob)).state === 'in-flight', {
    what: 'the long job to start',
  });
});
const readonly = (error: Error) => error.message.startsWith('READONLY');

const LOOPS = ['claim', 'heartbeat', 'maintenance', 'worker report'] as const;
type LoopName = (typeof LOOPS)[number];

/** Which loops have met an error of this kind since then. */
function met(kind: RegExp, from: number): Set<string> {
  const found = new Set<string>();
  for (const event of at.events.slice(from)) {
    if (event.type !== 'trouble' || !(event.error instanceof Error)) continue;
    const { error } = event;
    const code = 'code' in error ? error.code : '';
    const cause = error.cause instanceof Error ? error.cause.message : '';
    const loop = LOOPS.find((name) => event.where.startsWith(name));
    if (loop && kind.test(`${code} ${cause}`)) found.add(loop);
  }
  return found;
}
/** What went wrong since then, other than that the machine stood still for longer than a call may take. */
const troubles = (from: number): unknown[] =>
  at.events
    .slice(from)
    .filter(
      (event) =>
        event.type === 'trouble' &&
        !(event.error instanceof Error && 'code' in event.error && event.error.code === 'UNKNOWN_OUTCOME'),
    );
const meets = (kind: RegExp, loops: readonly LoopName[]) => {
  const from = at.events.length;
  return until(() => loops.every((loop) => met(kind, from).has(loop)), {
    what: `${loops.join(', ')} to meet ${kind}; met by: ${[...met(kind, from)]}`,
    timeoutMs: 20_000,
  });
};

/** Each loop did what only it does, after this call. */
async function allGoOn({ heartbeat = true } = {}): Promise<void> {
  const completed = at.worker.state().completed;
  const extendedAt = await until(async () => (await shop.detail(longJob)).claim?.leaseUntil, {
    what: 'the claim',
  });
  const reportedAt = await shop.broker.now();
  // Claims and acks: newly made jobs are run. The fail lane and the promotion of what is due: one that needs two attempts.
  const twice = await until(() => shop.enqueue({ payload: '{"n":2}', priority: 5 }), {
    what: 'Redis to take a job',
  });
  const later = await shop.enqueue({ priority: 5, delayMs: 50 });
  await Promise.all([shop.becomes(twice, 'completed'), shop.becomes(later, 'completed')]);
  await until(() => at.worker.state().completed > completed + 2, { what: 'the backlog to shrink' });
  await until(
    async () => {
      const { workers } = await shop.broker.workers.list();
      const report = workers.find(({ workerId }) => workerId === at.worker.workerId);
      return report?.status === 'running' && report.lastSeenAt > reportedAt;
    },
    { what: 'the worker to report itself', timeoutMs: 10_000 },
  );
  if (!heartbeat) return;
  await until(async () => ((await shop.detail(longJob)).claim?.leaseUntil ?? 0) > extendedAt, {
    what: 'the heartbeat to extend the lease of the long job',
    timeoutMs: 10_000,
  });
  expect((await shop.detail(longJob)).leaseLosses).toBe(0);
}

describe('B9: a worker goes on after Redis said', () => {
  it('BUSY', async () => {
    await redis.config('SET', 'busy-reply-threshold', '20');
    const other = shop.redis.connect();
    const script = other.eval('while true do end', 0).catch((error: Error) => error.message);
    await meets(/BUSY/, LOOPS);
    await until(() => redis.script('KILL'), { what: 'the script to be killed' });
    expect(await script).toMatch(/killed/i);
    await allGoOn();
  });

  it('LOADING', async () => {
    // Slow enough that every loop comes by while it lasts, and quick to say so: it answers after every kilobyte.
    await redis.config('SET', 'loading-process-events-interval-bytes', '1024');
    await redis.config('SET', 'rdbcompression', 'no');
    await redis.call('DEBUG', 'POPULATE', '100', 'filler', '2000');
    const own = shop.redis.connect();
    await own.config('SET', 'key-load-delay', '150000');
    const reload = own.call('DEBUG', 'RELOAD');
    await meets(/LOADING/, ['claim', 'worker report', 'maintenance']);
    await redis.config('SET', 'key-load-delay', '0');
    await reload;
    await redis.del(Array.from({ length: 100 }, (_, i) => `filler:${i}`));
    await allGoOn();
  });

  it('READONLY', async () => {
    await redis.call('REPLICAOF', '127.0.0.1', '1');
    // Each makes the connection look for a master again, so that some loops find none.
    await Promise.all([
      meets(/READONLY/, ['claim']),
      meets(/REDIS_UNAVAILABLE/, ['heartbeat', 'worker report']),
    ]);
    await until(() => redis.call('REPLICAOF', 'NO', 'ONE'), { what: 'it to be a master again' });
    await allGoOn();
  });

  it('MISCONF', async () => {
    // It shall save its data into a folder that is gone.
    const gone = join(shop.redis.dir, 'gone');
    mkdirSync(gone);
    await redis.config('SET', 'dir', gone);
    await redis.config('SET', 'save', '3600 1');
    rmSync(gone, { recursive: true });
    await redis.call('BGSAVE');
    await meets(/MISCONF/, ['claim', 'heartbeat', 'worker report']);
    await redis.config('SET', 'save', '');
    await redis.config('SET', 'dir', shop.redis.dir);
    await allGoOn();
  });

  it('nothing in time, and then hung up', async () => {
    await shop.redis.kill('SIGSTOP');
    try {
      await meets(/UNKNOWN_OUTCOME|REDIS_UNAVAILABLE/, LOOPS);
    } finally {
      await shop.redis.kill('SIGCONT');
    }
    await until(() => redis.ping(), { what: 'it to answer' });
    await redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await allGoOn();
  });

  it('NOSCRIPT, again and again: nobody notices', async () => {
    const from = at.events.length;
    const completed = at.worker.state().completed;
    await until(
      async () => {
        await redis.script('FLUSH');
        return at.worker.state().completed > completed + 200;
      },
      { what: 'two hundred jobs', everyMs: 5, timeoutMs: 20_000 },
    );
    expect(troubles(from)).toEqual([]);
    await allGoOn({ heartbeat: false });
  });

  it('OOM to whoever adds: what is there is worked off all the same', async () => {
    const from = at.events.length;
    const completed = at.worker.state().completed;
    await redis.config('SET', 'maxmemory', '1');
    try {
      await expect(shop.enqueue()).rejects.toMatchObject({ code: 'REDIS_FULL' });
      await until(() => at.worker.state().completed > completed + 100, { what: 'a hundred jobs' });
      expect(troubles(from)).toEqual([]);
    } finally {
      await redis.config('SET', 'maxmemory', '0');
    }
    await allGoOn({ heartbeat: false });
  });

  it('all of that: the long job was never lost, and no job is missing', async () => {
    finish('after all');
    const job = await shop.becomes(longJob, 'completed');
    expect(job).toMatchObject({ deliveries: 1, leaseLosses: 0, result: { result: '"after all"' } });
    await at.worker.stop();
    expect(await shop.broker.inspect.ledger(shop.queue)).toMatchObject({ difference: 0, strayRows: 0 });
    expect(at.count('lease-lost') + at.count('stale')).toBe(0);
  });
});
