/** One trace from the producer's request into the handler, on a real Redis, with the smallest SDK there can be. */
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { type Client, createClient, createWorker, defineHandler, PermanentError, type Worker } from 'redrive';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { until } from '@/testing/poll';
import { setUpRedis } from '@/testing/worlds/set-up-redis';
import { startTracing, type TestTracing } from '@/testing/worlds/tracer';

const redis = await setUpRedis();
let client: Client;
let tracing: TestTracing;
let worker: Worker | undefined;
let queues = 0;
let queue = '';

beforeAll(async () => {
  client = createClient({ url: redis.path });
});
beforeEach(() => {
  queue = `q${++queues}`;
  tracing = startTracing();
});
afterEach(async () => {
  await worker?.stop({ hurry: true });
  tracing.stop();
});
afterAll(async () => {
  client.close();
});

const handler = (run: () => unknown) => defineHandler({ type: 'demo', schema: z.unknown(), run });
function work(run: () => unknown) {
  worker = createWorker(client, { queues: { [queue]: 1 }, concurrency: 2, handlers: [handler(run)] });
  worker.start();
}
const ended = (name: string, count = 1) =>
  until(
    () => {
      const spans = tracing.named(name).filter((span) => span.ended);
      return spans.length >= count ? spans : null;
    },
    { what: `${count} × ${name}`, timeoutMs: 10_000 },
  );
const job = handler(() => undefined);

describe('a traced request that enqueues a job', () => {
  it('is one trace with the run of the job, which the handler continues', async () => {
    let seenInHandler: string | undefined;
    work(async () => {
      await new Promise(setImmediate);
      seenInHandler = trace.getSpanContext(context.active())?.spanId;
    });
    const { jobId } = await tracing.inSpan('request', () => client.enqueue(queue, job, { a: 1 }));
    const [process] = await ended('redrive.process');
    const [request] = tracing.named('request');
    const [enqueue] = tracing.named('redrive.enqueue');
    expect(enqueue).toMatchObject({ kind: SpanKind.PRODUCER, ended: true, parent: request?.own });
    expect(enqueue?.attributes).toMatchObject({
      'messaging.system': 'redrive',
      'messaging.operation.type': 'send',
      'messaging.destination.name': queue,
      'messaging.message.id': jobId,
    });
    expect(process).toMatchObject({ kind: SpanKind.CONSUMER, parent: { spanId: enqueue?.own.spanId } });
    expect(process?.links).toMatchObject([{ spanId: enqueue?.own.spanId, isRemote: true }]);
    expect(process?.own.traceId).toBe(request?.own.traceId);
    expect(process?.attributes).toMatchObject({
      'messaging.operation.type': 'process',
      'messaging.message.id': jobId,
      'redrive.job.attempt': 1,
      'redrive.job.outcome': 'done',
    });
    expect(seenInHandler).toBe(process?.own.spanId);
  });

  it('keeps the context with the job, and a traceparent given by hand before its own', async () => {
    const given = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`;
    const own = await client.enqueue(queue, job, 1);
    const other = await client.enqueue(queue, job, 2, { traceParent: given });
    const [first] = tracing.named('redrive.enqueue');
    const { envelope } = await client.job(queue, own.jobId);
    expect(envelope.traceParent).toBe(`00-${first?.own.traceId}-${first?.own.spanId}-01`);
    expect((await client.job(queue, other.jobId)).envelope.traceParent).toBe(given);
  });

  it('stays the same job when it is sent again in another trace', async () => {
    await client.enqueue(queue, job, 1, { jobId: 'same' });
    await expect(client.enqueue(queue, job, 1, { jobId: 'same' })).resolves.toMatchObject({
      outcome: 'duplicate',
    });
  });

  it('shares one span over a batch, which is parent and link of each run', async () => {
    await client.enqueueMany(queue, job, [{ payload: 1 }, { payload: 2 }]);
    const [enqueue, ...others] = tracing.named('redrive.enqueue');
    expect(others).toEqual([]);
    expect(enqueue).toMatchObject({ attributes: { 'messaging.batch.message_count': 2 }, ended: true });
    work(() => undefined);
    const runs = await ended('redrive.process', 2);
    expect(new Set(runs.map(({ attributes }) => attributes['messaging.message.id'])).size).toBe(2);
    for (const run of runs) {
      expect(run.parent).toMatchObject({ spanId: enqueue?.own.spanId, traceId: enqueue?.own.traceId });
      expect(run.links).toMatchObject([{ spanId: enqueue?.own.spanId }]);
    }
  });
});

describe('what goes wrong', () => {
  it('marks the run by its code, never by its message', async () => {
    work(() => {
      throw new PermanentError('HTTP_400', 'canary: not for a span');
    });
    await client.enqueue(queue, job, 1);
    const [process] = await ended('redrive.process');
    expect(process?.status).toEqual({ code: SpanStatusCode.ERROR, message: 'HTTP_400' });
    expect(process?.attributes).toMatchObject({
      'error.type': 'HTTP_400',
      'redrive.error.class': 'permanent',
      'redrive.job.outcome': 'failed',
    });
    expect(JSON.stringify(tracing.spans)).not.toContain('canary');
  });

  it('ends the span of an enqueue that was refused', async () => {
    await expect(client.enqueue(queue, job, 1, { priority: 5_000 })).rejects.toThrow(/priority/);
    expect(tracing.named('redrive.enqueue')).toMatchObject([
      { ended: true, status: { code: SpanStatusCode.ERROR, message: 'VALIDATION' } },
    ]);
  });
});

describe('without an SDK', () => {
  it('puts no context on a job and runs it all the same', async () => {
    tracing.stop();
    let runs = 0;
    work(() => {
      runs += 1;
    });
    const { jobId } = await client.enqueue(queue, job, 1);
    await until(() => runs === 1, { what: 'the job to run', timeoutMs: 10_000 });
    expect((await client.job(queue, jobId)).envelope.traceParent).toBeNull();
    expect(tracing.spans).toEqual([]);
  });
});
