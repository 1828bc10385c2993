/** What a whole run writes to its log: a line for every change of state, and nothing that was in the jobs. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Broker, createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { startRedis } from '@/testing/worlds/redis-server';
import { setUpRedis } from '@/testing/worlds/set-up-redis';
import { createWorker } from './create-worker';
import { defineHandler, type HandlerContext } from './run/handler';
import { PermanentError, RetryableError } from './run/job-errors';
import { createLogger } from './worker-logging';
import type { WorkerOptions } from './worker-options';
import type { Worker } from './worker-types';

const CANARY = 'canary-5f1d';
type Line = Record<string, unknown>;

const redis = await setUpRedis();
let broker: Broker;
let worker: Worker | undefined;
let text = '';
let queues = 0;
let queue = '';

beforeAll(async () => {
  broker = createBroker({ url: redis.path });
});
beforeEach(() => {
  text = '';
  queue = `q${++queues}`;
});
afterEach(() => worker?.stop({ hurry: true }));
afterAll(async () => {
  broker.close();
});

const lines = (event?: string): Line[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => !event || line.event === event);
const logged = (event: string, count = 1) =>
  until(() => (lines(event).length >= count ? lines(event) : null), {
    what: `${count} × ${event}`,
    timeoutMs: 10_000,
  });

const schema = z
  .object({
    // Schemas may quote what they refuse.
    n: z.number({ error: (issue) => `${String(issue.input)} will not do` }),
    text: z.string().optional(),
  })
  .refine(({ text: given }) => given !== `${CANARY}-refused`, {
    error: (issue) => `refused: ${JSON.stringify(issue.input)}`,
  });
type Run = (payload: z.output<typeof schema>, ctx: HandlerContext) => unknown;

const logger = createLogger({
  level: 'trace',
  destination: {
    write: (line: string) => {
      text += line;
    },
  },
});
function work(run: Run, more: Partial<WorkerOptions> = {}, on = broker) {
  worker = createWorker(on, {
    queues: { [queue]: 1 },
    concurrency: 3,
    handlers: [defineHandler({ type: 'demo.run', schema, run })],
    workerId: 'w-1',
    drainMs: 5_000,
    abortGraceMs: 50,
    retry: { baseMs: 1, factor: 1, maxMs: 1, jitter: 0 },
    logger,
    ...more,
  });
  worker.start();
  return worker;
}
const enqueue = async (payload: unknown, more: object = {}) =>
  (
    await broker.enqueue(queue, {
      jobType: 'demo.run',
      tenantId: 'acme',
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
      ...more,
    })
  ).jobId;

describe('the life of a job', () => {
  it('is told in lines that say which job, which run and for how long', async () => {
    const traceParent = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`;
    work((_, { attempt }) => {
      if (attempt === 1) throw new RetryableError('HTTP_503', CANARY);
    });
    const jobId = await enqueue({ n: 1 }, { correlationId: 'order-7', traceParent });
    await logged('job_completed');
    const about = {
      jobId,
      jobType: 'demo.run',
      tenantId: 'acme',
      queue,
      workerId: 'w-1',
      traceId: 'ab'.repeat(16),
      correlationId: 'order-7',
    };
    // The retry may be claimed before the reply to the failure was read.
    const told = lines()
      .filter(({ event }) => event !== undefined)
      .toSorted((a, b) => Number(a.attempt) - Number(b.attempt));
    expect(told).toMatchObject([
      { event: 'job_claimed', attempt: 1, delivery: 1, ...about },
      {
        event: 'job_failed_retry_scheduled',
        attempt: 1,
        errorClass: 'retryable',
        errorCode: 'HTTP_503',
        nextAttemptAt: expect.any(Number),
        durationMs: expect.any(Number),
        level: 40,
        ...about,
      },
      { event: 'job_claimed', attempt: 2, delivery: 2, ...about },
      { event: 'job_completed', attempt: 2, durationMs: expect.any(Number), level: 30, ...about },
    ]);
    const failedAt = Number(told[1]?.time);
    expect(Math.abs(Number(told[1]?.nextAttemptAt) - failedAt)).toBeLessThan(60_000);
  });

  it('says when a job is dead, and when it was given back', async () => {
    const running = work(
      ({ n }, { signal }) =>
        n === 1
          ? Promise.reject(new PermanentError('HTTP_400', CANARY))
          : new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      { drainMs: 0 },
    );
    await enqueue({ n: 1 });
    await enqueue({ n: 2 });
    const [dead] = await logged('job_dead');
    expect(dead).toMatchObject({ errorClass: 'permanent', errorCode: 'HTTP_400', level: 50 });
    await logged('job_claimed', 2);
    await running.stop();
    expect(lines('job_released')).toMatchObject([{ attempt: 1, durationMs: expect.any(Number) }]);
  });

  it('says when a lease was lost', async () => {
    work((_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', resolve)), {
      leaseMs: 300,
    });
    const jobId = await enqueue({ n: 1 });
    await logged('job_claimed');
    await broker.cancel(queue, [jobId], { actor: 'tester' });
    expect(await logged('lease_lost')).toMatchObject([{ jobId, attempt: 1 }]);
  });

  it('is left out when the application asks for it; the worker itself still speaks', async () => {
    const running = work(() => undefined, { logJobs: false });
    await enqueue({ n: 1 });
    await until(() => running.state().completed === 1, { what: 'the job to complete', timeoutMs: 10_000 });
    expect(lines().map(({ msg }) => msg)).toEqual(['the worker has started']);
  });
});

describe("a handler's own lines", () => {
  it('carry the job they are about', async () => {
    work((_, { logger }) => logger.info({ step: 2 }, 'half way'));
    const jobId = await enqueue({ n: 1 });
    await logged('job_completed');
    expect(lines().find(({ msg }) => msg === 'half way')).toMatchObject({
      step: 2,
      jobId,
      queue,
      attempt: 1,
      workerId: 'w-1',
    });
  });
});

describe('a log', () => {
  it('never holds a payload, a result or the text of an error', async () => {
    const running = work(
      ({ n, text: given }) => {
        if (n === 1) return { secret: CANARY };
        if (n === 2) throw new Error(`could not use ${given}`);
        if (n === 3) throw new PermanentError('NO', `could not use ${given}`);
        if (n === 4)
          return {
            toJSON: () => {
              throw new TypeError(`cannot write ${given}`);
            },
          };
        const circle: Record<string, unknown> = {};
        circle[CANARY] = circle;
        return circle;
      },
      {
        onEvent: (event) => {
          if (event.type === 'completed') throw new Error(CANARY);
        },
      },
    );
    for (const n of [1, 3, 4, 5]) await enqueue({ n, text: CANARY });
    await enqueue({ n: 2, text: CANARY }, { maxAttempts: 2 });
    const refused = [
      await enqueue({ n: CANARY }),
      await enqueue({ n: 1, text: `${CANARY}-refused` }),
      await enqueue(`{"n": ${CANARY}`),
      await enqueue({ n: 1 }, { jobType: 'unknown' }),
    ];
    await logged('job_completed', 3);
    await logged('job_dead', 2 + refused.length);
    // The test is worth nothing unless the texts are where they may be: in the history of the jobs. A payload that is no JSON is
    // quoted nowhere.
    const history = await Promise.all(refused.map((jobId) => broker.inspect.job(queue, jobId)));
    expect(history.map(({ history: [entry] }) => entry?.message?.includes(CANARY))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    await running.stop();
    expect(lines().length).toBeGreaterThan(15);
    expect(text).not.toContain(CANARY);
  });

  it('holds none either when Redis dies with results on their way', async () => {
    const own = await startRedis(['--appendonly', 'yes', '--appendfsync', 'always']);
    const mortal = createBroker({ url: own.path });
    try {
      let finish: () => void = () => undefined;
      const gate = new Promise<void>((resolve) => {
        finish = resolve;
      });
      const running = work(() => gate.then(() => ({ secret: CANARY })), { leaseMs: 60_000 }, mortal);
      await mortal.enqueue(queue, { jobType: 'demo.run', payload: `{"n":1,"text":"${CANARY}"}` });
      await logged('job_claimed');
      await own.kill();
      finish();
      await until(() => lines().some(({ where }) => /ack|exchange|claim/.test(String(where))), {
        what: 'the ack to fail',
        timeoutMs: 20_000,
      });
      await own.restart();
      await logged('job_completed');
      await running.stop({ hurry: true });
      expect(text).not.toContain(CANARY);
    } finally {
      mortal.close();
      await own.stop();
    }
  });
});
