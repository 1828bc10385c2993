/** One job must not feel another, whatever the application's code leaves behind where a worker calls it. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { trace } from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { until } from '@/testing/poll';
import { startTracing, type TestTracing } from '@/testing/worlds/tracer';
import { setUpWorkshop } from '@/testing/worlds/workers';
import { createWorker } from '../create-worker';
import type { Logger, Worker } from '../worker-types';
import { defineHandler, type HandlerContext } from './handler';
import { PermanentError, RetryableError } from './job-errors';

const shop = await setUpWorkshop();
const storage = new AsyncLocalStorage<string>();
const JOBS = 100;
/** What vitest listens to itself would fail the run. */
const rejectionListeners = process.listeners('unhandledRejection');

/** Where a context of another job was seen. */
const leaks = new Set<string>();
const places = new Set<string>();
/** Looks for what others left in the context, then leaves something. `own`: the job, whose own code may have left its id. Returns `then`. */
function visit<T>(place: string, own: string | null, then?: T): T {
  places.add(place);
  const store = storage.getStore();
  if (store !== undefined && store !== own) leaks.add(`${place} sees ${store}`);
  storage.enterWith(own ?? place);
  const span = tracing.spans.find((seen) => seen.own === trace.getActiveSpan()?.spanContext());
  const ofSpan = span?.attributes['messaging.message.id'] ?? null;
  if (ofSpan !== own && !OUTSIDE_SPAN.has(place)) leaks.add(`${place} is in the span of ${ofSpan}`);
  return then as T;
}
/** Of the run, and not of its span. */
const OUTSIDE_SPAN = new Set([
  'schema',
  'timeoutMs',
  'the message of an error',
  'toJSON of a result',
  'a thenable',
  'a listener of the signal',
  'the start of a span',
  'the end of a span',
]);

const timers = new Set<NodeJS.Timeout>();
const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Ways to leave something behind; job n takes the n-th. */
const BEHAVIOURS: readonly ((id: string, ctx: HandlerContext) => unknown)[] = [
  () => undefined,
  async () => {
    await tick();
  },
  async (id) => {
    await tick();
    visit('after an await', id);
    await tick();
  },
  (id) => {
    throw Object.defineProperty(new PermanentError('NO', 'no'), 'message', {
      get: () => visit('the message of an error', id, 'no'),
    });
  },
  async (id) => {
    await tick();
    visit('before a throw', id);
    throw new RetryableError('AGAIN', 'again');
  },
  (id) => ({ toJSON: () => visit('toJSON of a result', id, { id }) }),
  (id) => Object.fromEntries([['then', (done: (n: number) => void) => visit('a thenable', id, done(1))]]),
  (id, { signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        visit('a listener of the signal', id);
        reject(signal.reason);
      });
    }),
  (id) => {
    timers.add(setInterval(() => visit('an interval left behind', id), 1));
  },
  (id) => {
    void tick().then(() => {
      visit('a promise left behind', id);
      throw new Error('nobody handles this');
    });
  },
  (id, ctx) => ctx.once(`once ${id}`, () => visit('once', id), { ttlMs: 60_000 }),
  (id, ctx) => {
    ctx.logger.info({ id }, 'a line of the handler');
    Object.assign(ctx.job, { tenantId: 'changed', priority: 9, correlationId: id });
  },
  (id) => {
    visit('before adjust', id);
    worker?.adjust({ concurrency: 5 });
  },
];

let worker: Worker | undefined;
let tracing: TestTracing;
beforeEach(() => {
  leaks.clear();
  places.clear();
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', () => undefined);
  tracing = startTracing(({ name, attributes, ended }) => {
    if (name !== 'redrive.process') return;
    visit(ended ? 'the end of a span' : 'the start of a span', String(attributes['messaging.message.id']));
  });
});
afterEach(async () => {
  await worker?.stop({ hurry: true });
  for (const timer of timers) clearInterval(timer);
  tracing.stop();
  process.removeAllListeners('unhandledRejection');
  for (const listener of rejectionListeners) process.on('unhandledRejection', listener);
});

function startWorker() {
  const ran = new Map<string, number>();
  const ended = new Set<string>();
  const envelopes = new Set<string>();
  const write = (fields: object) => {
    if ('id' in fields) return;
    visit('logger', null);
  };
  const logger: Logger = {
    debug: write,
    info: write,
    warn: write,
    error: write,
    isLevelEnabled: () => visit('isLevelEnabled', null, true),
  };
  const handler = defineHandler({
    type: 'demo.run',
    schema: z.object({ id: z.string(), n: z.number() }).transform((payload) => {
      visit('schema', payload.id);
      return payload;
    }),
    timeoutMs: ({ jobId }) => visit('timeoutMs', jobId, 200),
    breaker: { failureThreshold: 20, cooldownMs: 10, cooldownMaxMs: 10 },
    run({ id, n }, ctx) {
      visit('handler', id);
      // Each its own, from Redis: what an earlier handler changed in its own is not in it.
      const { tenantId, priority, correlationId } = ctx.job;
      envelopes.add(JSON.stringify({ tenantId, priority, correlationId }));
      ran.set(id, (ran.get(id) ?? 0) + 1);
      return BEHAVIOURS[n % BEHAVIOURS.length]?.(id, ctx);
    },
  });
  worker = createWorker(shop.broker, {
    queues: { [shop.queue]: 1 },
    concurrency: 5,
    handlers: [handler],
    retry: { baseMs: 1, factor: 1, maxMs: 1, jitter: 1 },
    logger,
    random: () => visit('random', null, Math.random()),
    onEvent(event) {
      visit('onEvent', null);
      const isEnd = event.type === 'completed' || (event.type === 'failed' && event.outcome === 'dead');
      if (isEnd) ended.add(event.jobId);
    },
  });
  return { worker, ran, ended, envelopes };
}

const add = (n: number) => {
  const jobId = `job-${n}`;
  return shop.enqueue({ jobId, maxAttempts: 2, payload: JSON.stringify({ id: jobId, n }) });
};

describe('a hundred jobs that leave something behind', () => {
  it('find nothing of each other, nor of the caller that started the worker', async () => {
    const listeners = () => process.eventNames().map((event) => [event, process.listenerCount(event)]);
    const before = listeners();
    for (let n = 0; n < JOBS; n++) await add(n);
    const at = startWorker();
    storage.run('the caller of start()', () => at.worker.start());
    await until(() => at.ended.size === JOBS, { what: 'all jobs to end', timeoutMs: 60_000 });
    // Each alone: an idle worker that is woken goes another way.
    for (let n = JOBS; n < JOBS + 2 * BEHAVIOURS.length; n++) {
      await add(n);
      await until(() => at.ended.has(`job-${n}`), { what: `job ${n} to end` });
    }
    expect([...leaks]).toEqual([]);
    expect([...places].sort()).toMatchInlineSnapshot(`
      [
        "a listener of the signal",
        "a promise left behind",
        "a thenable",
        "after an await",
        "an interval left behind",
        "before a throw",
        "before adjust",
        "handler",
        "isLevelEnabled",
        "logger",
        "onEvent",
        "once",
        "random",
        "schema",
        "the end of a span",
        "the message of an error",
        "the start of a span",
        "timeoutMs",
        "toJSON of a result",
      ]
    `);
    expect([...at.envelopes]).toEqual([
      JSON.stringify({ tenantId: 'default', priority: 0, correlationId: null }),
    ]);
    expect(listeners()).toEqual(before);
  });
});
