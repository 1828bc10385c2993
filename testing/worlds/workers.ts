/** A real Redis with real workers on it, each with one handler that does what the test says. */
import { afterAll } from 'vitest';
import { z } from 'zod';
import { timeOrderedId } from '@/lib/broker';
import type { EnqueueInput } from '@/lib/contract/jobs/envelope';
import type { JobDetail } from '@/lib/contract/jobs/job-schemas';
import { createWorker } from '@/lib/worker/create-worker';
import type { BreakerOptions } from '@/lib/worker/run/circuit-breaker';
import { defineHandler, type HandlerContext } from '@/lib/worker/run/handler';
import type { WorkerOptions } from '@/lib/worker/worker-options';
import type { Worker, WorkerBroker, WorkerEvent } from '@/lib/worker/worker-types';
import { type Broker, createBroker } from '@/testing/create-broker';
import { until } from '../poll';
import { startRedisOnPort, type TestRedis } from './redis-server';

export type Run = (payload: { n?: number }, ctx: HandlerContext) => unknown;
export interface WorkOptions extends Partial<WorkerOptions> {
  breaker?: BreakerOptions;
  timeoutMs?: number;
  /** Another broker, or one that injects faults. */
  on?: WorkerBroker;
}
export interface AtWork {
  readonly worker: Worker;
  readonly events: readonly WorkerEvent[];
  count(type: WorkerEvent['type']): number;
  saw(type: WorkerEvent['type'], times?: number): Promise<unknown>;
}

export interface Workshop {
  readonly redis: TestRedis & { readonly url: string };
  readonly broker: Broker;
  /** A queue of this test alone. */
  readonly queue: string;
  /** Starts a worker of concurrency 5 whose handler of `demo.run` is `run`. */
  work(run: Run, options?: WorkOptions): AtWork;
  enqueue(more?: Partial<EnqueueInput>, queue?: string): Promise<string>;
  detail(jobId: string, queue?: string): Promise<JobDetail>;
  becomes(jobId: string, state: string, timeoutMs?: number): Promise<JobDetail>;
  /** Stops the workers and takes a queue nobody used yet. */
  next(): Promise<void>;
  close(): Promise<void>;
}

export async function openWorkshop(redisArgs: string[] = []): Promise<Workshop> {
  const redis = await startRedisOnPort(redisArgs);
  const broker = createBroker({ redis: redis.connect({ commandTimeout: 5_000 }) });
  const workers: Worker[] = [];
  let queue = `q-${timeOrderedId()}`;
  const detail = (jobId: string, from = queue) => broker.inspect.job(from, jobId);
  const stopWorkers = () => Promise.all(workers.splice(0).map((worker) => worker.stop({ hurry: true })));

  return {
    redis,
    broker,
    get queue() {
      return queue;
    },
    work(run, { breaker, timeoutMs, on = broker, ...options } = {}) {
      const events: WorkerEvent[] = [];
      const schema = z.object({ n: z.number().optional() });
      const worker = createWorker(on, {
        queues: { [queue]: 1 },
        concurrency: 5,
        handlers: [defineHandler({ type: 'demo.run', schema, run, breaker, timeoutMs })],
        leaseMs: 5_000,
        drainMs: 5_000,
        abortGraceMs: 100,
        retry: { baseMs: 1, factor: 1, maxMs: 1, jitter: 0 },
        ...options,
        onEvent(event) {
          events.push(event);
          options.onEvent?.(event);
        },
      });
      workers.push(worker);
      worker.start();
      const count = (type: WorkerEvent['type']) => events.filter((event) => event.type === type).length;
      return {
        worker,
        events,
        count,
        saw: (type, times = 1) =>
          until(() => count(type) >= times, { what: `${times} × ${type}`, timeoutMs: 45_000 }),
      };
    },
    enqueue: async (more = {}, to = queue) =>
      (await broker.enqueue(to, { jobType: 'demo.run', payload: '{}', ...more })).jobId,
    detail,
    becomes: (jobId, state, timeoutMs = 45_000) =>
      until(
        async () => {
          const job = await detail(jobId);
          return job.state === state ? job : null;
        },
        { what: `${jobId} to be ${state}`, timeoutMs },
      ),
    async next() {
      await stopWorkers();
      queue = `q-${timeOrderedId()}`;
    },
    async close() {
      await stopWorkers();
      broker.close();
      await redis.stop();
    },
  };
}

/** `openWorkshop` for the tests of one file, closed after the last of them. */
export async function setUpWorkshop(redisArgs?: string[]): Promise<Workshop> {
  const shop = await openWorkshop(redisArgs);
  afterAll(() => shop.close());
  return shop;
}
