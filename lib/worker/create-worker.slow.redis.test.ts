import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { timeOrderedId } from '@/lib/broker/application';
import { RedriveError } from '@/lib/contract/redrive-error';
import { type Broker, createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { setUpRedis } from '@/testing/worlds/set-up-redis';
import { createWorker } from './create-worker';
import { defineHandler, type HandlerContext } from './run/handler';
import { PermanentError, RetryableError } from './run/job-errors';
import { ABANDONED_HANDLER_MS } from './run/run-job';
import type { WorkerOptions } from './worker-options';
import type { Worker, WorkerBroker, WorkerEvent } from './worker-types';

const redis = await setUpRedis();
let broker: Broker;
let queue: string;
const workers: Worker[] = [];
const OTHER_WORKER = fileURLToPath(new URL('./fixture-other-worker.ts', import.meta.url));

/** A worker whose one handler, `demo.run`, does what the test says. */
function work(
  run: (payload: { n?: number }, ctx: HandlerContext) => unknown,
  more: Partial<WorkerOptions> = {},
  on: WorkerBroker = broker,
) {
  const events: WorkerEvent[] = [];
  const handlers = [
    defineHandler({ type: 'demo.run', schema: z.strictObject({ n: z.number().optional() }), run }),
  ];
  const worker = createWorker(on, {
    queues: { [queue]: 1 },
    concurrency: 5,
    handlers,
    leaseMs: 5_000,
    drainMs: 5_000,
    abortGraceMs: 100,
    retry: { baseMs: 1, factor: 1, maxMs: 1, jitter: 0 },
    onEvent: (event) => events.push(event),
    ...more,
  });
  workers.push(worker);
  worker.start();
  const saw = (type: WorkerEvent['type'], times = 1) =>
    until(() => events.filter((event) => event.type === type).length >= times, {
      what: `${times} × ${type}`,
      timeoutMs: 45_000,
    });
  return { worker, events, saw };
}

const enqueue = async (more: object = {}) =>
  (await broker.enqueue(queue, { jobType: 'demo.run', payload: '{}', ...more })).jobId;
const detail = (jobId: string) => broker.inspect.job(queue, jobId);
const becomes = (jobId: string, state: string) =>
  until(async () => ((await detail(jobId))?.state === state ? detail(jobId) : null), {
    what: `${jobId} to be ${state}`,
    timeoutMs: 45_000,
  });
const obedient = (_: unknown, { signal }: HandlerContext) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
const stubborn = () => new Promise(() => undefined);

beforeAll(async () => {
  broker = createBroker({ redis: redis.connect({ commandTimeout: 5_000 }) });
});
beforeEach(() => {
  queue = `q-${timeOrderedId()}`;
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ hurry: true })));
  const { difference, strayRows } = await broker.inspect.ledger(queue);
  expect({ difference, strayRows }).toEqual({ difference: 0, strayRows: 0 });
});

describe('dispatch', () => {
  it('runs a job and keeps what the handler returned', async () => {
    work(({ n = 0 }) => ({ doubled: n * 2 }));
    const job = await becomes(await enqueue({ payload: '{"n":21}' }), 'completed');
    expect(job.result?.result).toBe('{"doubled":42}');
  });

  it('runs each job of a backlog once, never more at a time than its concurrency', async () => {
    await broker.enqueueMany(
      queue,
      Array.from({ length: 300 }, () => ({ jobType: 'demo.run', payload: '{}' })),
    );
    let now = 0;
    let most = 0;
    const seen: string[] = [];
    const { worker } = work(async (_, { job }) => {
      most = Math.max(most, ++now);
      seen.push(job.jobId);
      await new Promise(setImmediate);
      now--;
    });
    await until(() => worker.state().completed === 300, { what: 'all to complete', timeoutMs: 45_000 });
    expect(most).toBeLessThanOrEqual(5);
    expect(new Set(seen).size).toBe(300);
    expect(seen).toHaveLength(300);
  });

  it.each([
    ['a payload its schema refuses', { payload: '{"n":"x"}' }, 'malformed', 'PAYLOAD_INVALID'],
    ['a payload that is no JSON', { payload: 'nope' }, 'malformed', 'PAYLOAD_INVALID'],
  ])('sends %s to the dead-letter queue at once', async (_, more, errorClass, errorCode) => {
    work(() => undefined);
    const job = await becomes(await enqueue(more), 'dead');
    expect(job.attempt).toBe(1);
    expect(job.history.at(-1)).toMatchObject({ kind: 'dead', errorClass, errorCode });
  });

  it('tries a passing fault again until it succeeds', async () => {
    const attempts: number[] = [];
    work((_, { attempt }) => {
      attempts.push(attempt);
      if (attempt < 3) throw new RetryableError('HTTP_503', 'away');
    });
    const job = await becomes(await enqueue(), 'completed');
    expect(attempts).toEqual([1, 2, 3]);
    expect(job.history.map(({ kind, errorCode }) => [kind, errorCode])).toEqual([
      ['failed', 'HTTP_503'],
      ['failed', 'HTTP_503'],
    ]);
  });

  it('does not try a permanent fault again', async () => {
    work(() => {
      throw new PermanentError('HTTP_400', 'no');
    });
    expect((await becomes(await enqueue(), 'dead')).attempt).toBe(1);
  });

  it('times out a handler that ignores its signal, frees the slot and ignores what comes later', async () => {
    let runs = 0;
    let finish: (value: unknown) => void = () => undefined;
    const { worker, events } = work(
      () => {
        runs += 1;
        return runs === 1 ? new Promise((resolve) => (finish = resolve)) : 'second run';
      },
      { concurrency: 1 },
    );
    const jobId = await enqueue({ timeoutMs: 20 });
    const job = await becomes(jobId, 'completed');
    finish('late result of the first run');
    expect(job.history[0]).toMatchObject({
      kind: 'failed',
      errorClass: 'retryable',
      errorCode: 'HANDLER_TIMEOUT',
    });
    expect((await detail(jobId))?.result?.result).toBe('"second run"');
    expect(events.filter(({ type }) => type === 'completed')).toHaveLength(1);
    expect(worker.state()).toMatchObject({ completed: 1, failed: 1 });
  });
});

describe('a reply that is lost', () => {
  const lost = () => new RedriveError('UNKNOWN_OUTCOME', 'the reply was lost');
  /** Does it for real the first time, and then claims not to know. */
  const losesReply = <A extends unknown[], R>(call: (...args: A) => Promise<R>) => {
    let calls = 0;
    return async (...args: A): Promise<R> => {
      const reply = await call(...args);
      calls += 1;
      if (calls === 1) throw lost();
      return reply;
    };
  };

  it('to a claim: the jobs are given back and run once, with no attempt burnt', async () => {
    const ids = [await enqueue(), await enqueue()];
    let runs = 0;
    work(
      () => {
        runs += 1;
      },
      {},
      { ...broker, claim: losesReply(broker.claim) },
    );
    for (const id of ids)
      expect(await becomes(id, 'completed')).toMatchObject({ leaseLosses: 0, deliveries: 2 });
    expect(runs).toBe(2);
    const [reading] = await broker.inspect.snapshot([queue]);
    expect(reading?.totals).toMatchObject({ claimed: 4, released: 2, completed: 2, reclaimed: 0 });
    expect(reading?.attempts).toEqual(new Map([[1, 2]]));
  });

  it('to an ack: it is sent again and counted once', async () => {
    const jobId = await enqueue();
    const { worker, saw } = work(() => undefined, {}, { ...broker, ack: losesReply(broker.ack) });
    await saw('completed');
    expect(worker.state()).toMatchObject({ completed: 1, inHand: [] });
    expect((await detail(jobId))?.state).toBe('completed');
    expect((await broker.inspect.snapshot([queue]))[0]?.totals).toMatchObject({ claimed: 1, completed: 1 });
  });

  it('to a fail: it is sent again and counted once', async () => {
    const fails = () => {
      throw new PermanentError('HTTP_400', 'no');
    };
    const { saw } = work(fails, {}, { ...broker, fail: losesReply(broker.fail) });
    const jobId = await enqueue();
    await saw('failed');
    expect((await detail(jobId))?.history).toHaveLength(1);
    expect((await broker.inspect.snapshot([queue]))[0]?.totals).toMatchObject({ failed: 1, dead: 1 });
  });
});

describe('leases', () => {
  it('outlast the lease time by heartbeats', async () => {
    let runs = 0;
    let finish: (value: unknown) => void = () => undefined;
    // Long enough that no stall of the machine takes the job from a worker that lives.
    const leaseMs = 4_000;
    const { events } = work(
      () => {
        runs += 1;
        return new Promise((resolve) => (finish = resolve));
      },
      { leaseMs },
    );
    const jobId = await enqueue();
    await until(
      async () => {
        const { claim } = await detail(jobId);
        return claim && claim.leaseUntil - claim.claimedAt > 2 * leaseMs;
      },
      { what: 'the lease to be twice as long', timeoutMs: 45_000 },
    );
    finish(null);
    await becomes(jobId, 'completed');
    expect(runs).toBe(1);
    expect(events.filter(({ type }) => type === 'lease-lost' || type === 'stale')).toEqual([]);
  });

  it('are lost while the event loop is blocked; the late ack changes nothing', async () => {
    const { worker, saw } = work(
      ({ n: _ }, { job }) => {
        // Nothing of this process runs until another has taken the lease back and the job over.
        const stdout = execFileSync(process.execPath, ['--import', 'tsx', OTHER_WORKER, redis.path, queue], {
          encoding: 'utf8',
        });
        expect(stdout.trim()).toBe(job.jobId);
        return 'from the blocked worker';
      },
      { leaseMs: 100, concurrency: 1 },
    );
    const jobId = await enqueue();
    await saw('stale');
    expect(await detail(jobId)).toMatchObject({
      state: 'in-flight',
      claim: { worker: 'another' },
      result: null,
    });
    expect(worker.state()).toMatchObject({ completed: 0, failed: 0, inHand: [] });
    expect((await broker.inspect.snapshot([queue]))[0]?.totals).toMatchObject({ completed: 0, reclaimed: 1 });
  });

  it('refuse a late ack: another worker has the job, and what it does counts', async () => {
    let finish: (value: unknown) => void = () => undefined;
    const { worker, saw } = work(() => new Promise((resolve) => (finish = resolve)), {
      leaseMs: 60_000,
      concurrency: 1,
    });
    const jobId = await enqueue();
    await saw('claimed');
    // As if it had been frozen: its claim is taken back, and another worker finishes the job.
    await broker.reclaimWorker(queue, worker.workerId, { errorCode: 'LEASE_EXPIRED', message: 'frozen' });
    const [job] = (await broker.claim(queue, { worker: 'another', leaseMs: 60_000 })).jobs;
    if (!job) throw new Error('the job did not come back');
    finish('from the frozen worker');
    await saw('stale');
    expect((await detail(jobId))?.claim?.worker).toBe('another');
    await broker.ack(queue, [{ jobId, token: job.token, result: '"from the other"' }]);
    expect((await detail(jobId))?.result?.result).toBe('"from the other"');
    expect(worker.state().completed).toBe(0);
    expect((await broker.inspect.snapshot([queue]))[0]?.totals).toMatchObject({ completed: 1, reclaimed: 1 });
  });

  it('abort the handler with the reason as soon as a heartbeat learns that they are lost', async () => {
    const reasons: unknown[] = [];
    const { worker, saw } = work(
      (payload, ctx) => {
        ctx.signal.addEventListener('abort', () => reasons.push(ctx.signal.reason.reason));
        return obedient(payload, ctx);
      },
      { leaseMs: 600 },
    );
    const jobId = await enqueue();
    await saw('claimed');
    await broker.pause(queue, { reason: 'so that it stays where it is' }, { actor: 'test' });
    await broker.reclaimWorker(queue, worker.workerId, { errorCode: 'LEASE_EXPIRED', message: 'test' });
    await saw('lease-lost');
    expect(reasons).toEqual(['lease-lost']);
    await until(() => worker.state().inHand.length === 0, { what: 'the slot to be free' });
    expect((await detail(jobId))?.state).toBe('ready');
    expect(worker.state()).toMatchObject({ completed: 0, failed: 0, released: 0 });
  });

  it('take a new length and a new concurrency while running', async () => {
    const { worker, saw } = work(obedient, { concurrency: 1 });
    await broker.enqueueMany(
      queue,
      [1, 2, 3].map(() => ({ jobType: 'demo.run', payload: '{}' })),
    );
    await saw('claimed');
    worker.adjust({ concurrency: 3, leaseMs: 30_000 });
    await saw('claimed', 3);
    expect(worker.state().inHand).toHaveLength(3);
    const job = await detail(worker.state().inHand[2]?.jobId ?? '');
    expect((job?.claim?.leaseUntil ?? 0) - (job?.claim?.claimedAt ?? 0)).toBeGreaterThanOrEqual(30_000);
  });
});

describe('waking', () => {
  it('blocks while idle and is woken by a job, long before it would look for itself', async () => {
    const { events, saw } = work(() => undefined);
    await saw('idle');
    const jobId = await enqueue();
    await becomes(jobId, 'completed');
    // What ended the wait was the queue itself, not a timer.
    const woken = events.find((event) => event.type === 'woken');
    expect(woken).toEqual({ type: 'woken', queue });
    expect(events.filter((event) => event.type === 'trouble')).toEqual([]);
  });

  it('gets up for a job that falls due, with nobody to wake it', async () => {
    const jobId = await enqueue({ delayMs: 2_000 });
    const { events } = work(() => undefined);
    await becomes(jobId, 'completed');
    const idle = events.flatMap((event) => (event.type === 'idle' ? [event.timeoutMs] : []));
    expect(Math.min(...idle)).toBeLessThanOrEqual(2_000);
  });

  it('is in time for a job that was scheduled while it waited', async () => {
    const { saw, events } = work(() => undefined);
    await saw('idle');
    const jobId = await enqueue({ delayMs: 1_500 });
    const job = await becomes(jobId, 'completed');
    const lateMs = (job.result?.claimedAt ?? Number.NaN) - (job.envelope.createdAt + 1_500);
    // By itself it would have looked after five seconds.
    expect(lateMs).toBeLessThan(3_000);
    expect(events.filter(({ type }) => type === 'trouble')).toEqual([]);
  });
});

describe('stopping', () => {
  it('lets jobs finish that finish in time, claims nothing more, and reports how it ended', async () => {
    let finish: (value: unknown) => void = () => undefined;
    const { worker, saw, events } = work(() => new Promise((resolve) => (finish = resolve)), {
      concurrency: 1,
    });
    const first = await enqueue();
    await saw('claimed');
    const second = await enqueue();
    const stopped = worker.stop();
    expect(worker.state().status).toBe('draining');
    finish('in time');
    await stopped;
    expect((await detail(first))?.state).toBe('completed');
    expect((await detail(second))?.state).toBe('ready');
    expect(events.filter(({ type }) => type === 'claimed')).toHaveLength(1);
    const report = (await broker.workers.list()).workers.find(({ workerId }) => workerId === worker.workerId);
    expect(report).toMatchObject({ status: 'stopped', end: { cause: 'stopped', reclaimed: 0 }, jobs: [] });
  });

  it('by one of its own handlers: what was claimed with that job is given back unrun', async () => {
    const payload = { jobType: 'demo.run', payload: '{}' };
    await broker.enqueueMany(queue, [payload, payload, payload, payload]);
    let runs = 0;
    const { worker, events } = work(() => {
      runs += 1;
      void worker.stop();
    });
    await worker.drained;
    expect(runs).toBe(1);
    expect(worker.state()).toMatchObject({ completed: 1, released: 3, inHand: [] });
    expect(events.filter(({ type }) => type === 'claimed')).toHaveLength(4);
  });

  it('interrupts an idle wait at once', async () => {
    const { worker, saw } = work(() => undefined);
    await saw('idle');
    await worker.stop();
    expect(worker.state().status).toBe('stopped');
  });

  it('gives back what does not finish, without burning an attempt', async () => {
    const reasons: unknown[] = [];
    const { worker, saw } = work(
      (payload, ctx) => {
        ctx.signal.addEventListener('abort', () => reasons.push(ctx.signal.reason.reason));
        return obedient(payload, ctx);
      },
      { drainMs: 50 },
    );
    const jobId = await enqueue();
    await saw('claimed');
    await worker.stop();
    expect(reasons).toEqual(['shutdown']);
    const job = await detail(jobId);
    expect(job).toMatchObject({ state: 'ready', attempt: 0, deliveries: 1, leaseLosses: 0 });
    expect(job?.history.at(-1)).toMatchObject({ kind: 'released' });
    expect(worker.state()).toMatchObject({ released: 1, completed: 0, failed: 0 });
  });

  it('holds on to a job whose handler still runs until its grace is over', async () => {
    const { worker, saw, events } = work(stubborn, { drainMs: 20, abortGraceMs: 400 });
    const jobId = await enqueue();
    await saw('claimed');
    const stopped = worker.stop();
    // Asked of Redis again and again while the grace runs: not one answer may show it elsewhere before the release.
    const states: string[] = [];
    await until(
      async () => {
        const state = (await detail(jobId))?.state ?? 'gone';
        if (!events.some(({ type }) => type === 'released')) states.push(state);
        return events.some(({ type }) => type === 'released');
      },
      { what: 'the release' },
    );
    await stopped;
    expect(states.slice(0, -1).every((state) => state === 'in-flight')).toBe(true);
    // Its handler still runs: nobody may start it until this process had time to exit.
    const job = await detail(jobId);
    expect(job).toMatchObject({ state: 'retry', attempt: 0 });
    expect((job.stateAt ?? 0) - (job.history.at(-1)?.at ?? 0)).toBe(ABANDONED_HANDLER_MS);
  });

  it('hurries when asked a second time: everything is given back at once', async () => {
    const { worker, saw } = work(stubborn, { drainMs: 60_000, abortGraceMs: 60_000 });
    const ids = [await enqueue(), await enqueue()];
    await saw('claimed', 2);
    const stopped = worker.stop();
    expect(worker.state().status).toBe('draining');
    // Neither the drain time nor the grace is waited for, or this would outlast the test.
    await worker.stop({ hurry: true });
    await stopped;
    for (const id of ids) expect(await detail(id)).toMatchObject({ state: 'retry', attempt: 0 });
  });
});
