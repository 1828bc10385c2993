import { Redis } from 'ioredis';
import {
  type Client,
  createClient,
  createWorker,
  defineHandler,
  defineJob,
  jobInput,
  RedriveError,
  type Worker,
} from 'redrive';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { until } from '@/testing/poll';
import { setUpRedis } from '@/testing/worlds/set-up-redis';

const send = defineJob({ type: 'invoice.send', schema: z.strictObject({ invoiceId: z.string() }) });
const tick = defineJob({ type: 'tick', schema: z.undefined() });

const redis = await setUpRedis();
let client: Client;
let worker: Worker | undefined;
let queues = 0;
let queue = '';

beforeAll(async () => {
  client = createClient({ url: redis.path, actor: 'billing' });
});
beforeEach(() => {
  queue = `q${++queues}`;
});
afterEach(() => worker?.stop({ hurry: true }));
afterAll(async () => {
  client.close();
});

const becomes = (jobId: string, state: string) =>
  until(async () => ((await client.job(queue, jobId)).state === state ? client.job(queue, jobId) : null), {
    what: `${jobId} to be ${state}`,
    timeoutMs: 10_000,
  });

describe('a client', () => {
  it('enqueues what a worker on the same client runs', async () => {
    const seen: string[] = [];
    const handler = defineHandler({ ...send, run: ({ invoiceId }) => seen.push(invoiceId) });
    worker = createWorker(client, { queues: { [queue]: 1 }, concurrency: 2, handlers: [handler] });
    worker.start();
    const { outcome } = await client.enqueue(queue, handler, { invoiceId: 'in_1' }, { jobId: 'in_1' });
    expect(outcome).toBe('ready');
    expect((await becomes('in_1', 'completed')).payload).toBe('{"invoiceId":"in_1"}');
    expect(seen).toEqual(['in_1']);
  });

  it('finds a job sent again under its id, and refuses another under that id', async () => {
    const first = { invoiceId: 'in_1' };
    await client.enqueue(queue, send, first, { jobId: 'j' });
    await expect(client.enqueue(queue, send, first, { jobId: 'j' })).resolves.toMatchObject({
      outcome: 'duplicate',
    });
    await expect(client.enqueue(queue, send, { invoiceId: 'in_2' }, { jobId: 'j' })).rejects.toMatchObject({
      code: 'ID_CONFLICT',
    });
  });

  it('enqueues many of one type, or of several', async () => {
    const one = await client.enqueueMany(queue, send, [
      { jobId: 'a', payload: { invoiceId: 'in_1' } },
      { jobId: 'b', payload: { invoiceId: 'in_2' }, delayMs: 60_000 },
    ]);
    expect(one.map(({ jobId, outcome }) => [jobId, outcome])).toEqual([
      ['a', 'ready'],
      ['b', 'scheduled'],
    ]);
    const mixed = await client.enqueueMany(queue, [
      jobInput(send, { invoiceId: 'in_3' }, { jobId: 'c' }),
      jobInput(tick, undefined, { jobId: 'd' }),
    ]);
    expect(mixed.map(({ jobId }) => jobId)).toEqual(['c', 'd']);
    expect((await client.job(queue, 'd')).payloadBytes).toBe(0);
    await expect(client.enqueueMany(queue, send, [])).resolves.toEqual([]);
    await expect(client.enqueueMany(queue, [])).resolves.toEqual([]);
  });

  it('sends none of a batch when one payload is wrong', async () => {
    const bad = [{ payload: { invoiceId: 'in_1' }, jobId: 'a' }, { payload: { invoiceId: 2 as never } }];
    await expect(client.enqueueMany(queue, send, bad)).rejects.toThrow(/invoiceId/);
    await expect(client.job(queue, 'a')).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
  });

  it('changes jobs under its name', async () => {
    await client.enqueue(queue, send, { invoiceId: 'in_1' }, { jobId: 'a' });
    await expect(client.cancel(queue, ['a', 'b'], { reason: 'paid by hand' })).resolves.toEqual([
      'ok',
      'not-found',
    ]);
    await expect(client.redrive(queue, ['a'], { reason: 'it bounced' })).resolves.toEqual(['ok']);
    const { history, state } = await client.job(queue, 'a');
    expect(state).toBe('ready');
    expect(history.at(-1)).toMatchObject({ kind: 'redriven', actor: 'billing', reason: 'it bounced' });
    await expect(client.remove(queue, ['a'])).resolves.toEqual(['ok']);
  });

  it('walks a dead job through the dead-letter verbs', async () => {
    await client.enqueue(queue, send, { invoiceId: 'in_1' }, { jobId: 'a', delayMs: 60_000 });
    await expect(client.promote(queue, ['a'])).resolves.toEqual(['ok']);
    await client.cancel(queue, ['a']);
    await expect(client.suppress(queue, ['a'])).resolves.toEqual(['ok']);
    await expect(client.purge(queue, ['a'])).resolves.toEqual(['ok']);
    await expect(client.restore(queue, ['a'])).resolves.toEqual(['ok']);
    expect((await client.job(queue, 'a')).state).toBe('dead');
  });

  it('pauses and resumes', async () => {
    await client.pause(queue, { reason: 'a migration', scope: 'tenant:acme' });
    const [reading] = await client.broker.inspect.snapshot([queue]);
    expect(reading?.pauses).toMatchObject([{ scope: 'tenant:acme', actor: 'billing' }]);
    await client.resume(queue, 'tenant:acme');
    expect((await client.broker.inspect.snapshot([queue]))[0]?.pauses).toEqual([]);
  });

  it('says what is wrong with its options', () => {
    expect(() => createClient({})).toThrow(/url .* or redis/);
    expect(() => createClient({ url: redis.path, actor: '' })).toThrow(/actor/);
  });

  it('closes the connection it opened, and leaves one it was given', async () => {
    const connection = new Redis(redis.path);
    const given = createClient({ redis: connection });
    await given.ready();
    given.close();
    expect(await connection.ping()).toBe('PONG');
    connection.disconnect();
    const own = createClient({ url: redis.path });
    await own.ready();
    own.close();
    await expect(own.enqueue(queue, tick, undefined)).rejects.toBeInstanceOf(RedriveError);
  });
});

describe('a worker with a connection of its own', () => {
  it('runs jobs, and closes the connection when it has drained', async () => {
    const clients = async () => {
      const looking = redis.connect();
      const list = String(await looking.client('LIST'));
      looking.disconnect();
      return list.split('\n').filter(Boolean).length;
    };
    const before = await clients();
    const own = createWorker({
      url: redis.path,
      queues: { [queue]: 1 },
      concurrency: 1,
      handlers: [defineHandler({ ...tick, run: () => 'tock' })],
    });
    own.start();
    const { jobId } = await client.enqueue(queue, tick, undefined);
    expect((await becomes(jobId, 'completed')).result?.result).toBe('"tock"');
    await own.stop();
    await until(async () => (await clients()) === before, { what: 'its connections to close' });
  });

  it('says what is wrong with its options', () => {
    expect(() => createWorker({ url: redis.path, queues: {}, concurrency: 0, handlers: [] })).toThrow(
      /queues: .*concurrency: /,
    );
    expect(() => createWorker({ queues: { a: 1 }, concurrency: 1, handlers: [] })).toThrow(/url/);
  });
});
