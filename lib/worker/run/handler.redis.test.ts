import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createContext } from '@/lib/broker/redis/broker-context';
import { knownHandlers } from '@/lib/broker/workers/known-handlers';
import { payloadProblem } from '@/lib/contract/workers/handler-schemas';
import { HANDLERS_MAX } from '@/lib/contract/workers/worker-limits';
import { type Broker, createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { setUpRedis } from '@/testing/worlds/set-up-redis';
import { createWorker } from '../create-worker';
import { defineHandler, type Handler } from './handler';
import { handlerReport, SCHEMAS_MAX_CHARS } from './handler-report';

const redis = await setUpRedis();
let broker: Broker;
const run = () => null;
const emails = defineHandler({
  type: 'email.send',
  versions: [1, 2],
  schema: z.object({ to: z.string() }),
  run,
});
const orders = (schema: z.ZodType) => defineHandler({ type: 'order.pay', schema, run });

/** Each look is with eyes of its own: an answer is used again for some seconds. */
const look = () => knownHandlers(createContext({ redis: redis.connect({ commandTimeout: 5_000 }) }));
function start(workerId: string, queue: string, handlers: readonly Handler[]) {
  const worker = createWorker(broker, {
    queues: { [queue]: 1 },
    concurrency: 1,
    handlers,
    workerId,
    drainMs: 1_000,
  });
  worker.start();
  return worker;
}

beforeAll(async () => {
  broker = createBroker({ redis: redis.connect({ commandTimeout: 5_000 }) });
});

describe('handlers of live workers', () => {
  it('are known by type and version, with who runs them, where, and what they take', async () => {
    const strict = z.strictObject({ id: z.number() });
    const workers = [
      start('w1', 'a', [emails, orders(strict)]),
      start('w2', 'b', [emails]),
      start('w3', 'b', [orders(z.strictObject({ id: z.string() }))]),
    ];
    const known = await until(
      async () => {
        const found = await look();
        return found.get('order.pay 1')?.workers === 2 && found.get('email.send 2')?.workers === 2
          ? found
          : null;
      },
      { what: 'all three to be known' },
    );
    expect([...known.keys()].sort()).toEqual(['email.send 1', 'email.send 2', 'order.pay 1']);
    const email = known.get('email.send 1');
    expect([...(email?.queues ?? [])].sort()).toEqual(['a', 'b']);
    expect(email?.schemaFor('a')).toMatchObject({ type: 'object', required: ['to'] });
    expect(payloadProblem(email?.schemaFor('b') ?? {}, '{"to":1}')).toContain('to');
    expect(payloadProblem(email?.schemaFor('b') ?? {}, '{"to":"a"}')).toBeNull();
    // Each queue has the schema of its own workers; a queue that no such worker serves has none.
    expect(known.get('order.pay 1')?.schemaFor('a')).toMatchObject({
      properties: { id: { type: 'number' } },
    });
    expect(known.get('order.pay 1')?.schemaFor('b')).toMatchObject({
      properties: { id: { type: 'string' } },
    });
    expect(known.get('order.pay 1')?.schemaFor('c')).toBeNull();

    // Two releases at once in one queue: neither speaks for both.
    const rival = start('w5', 'a', [orders(z.strictObject({ id: z.string() }))]);
    await until(async () => (await look()).get('order.pay 1')?.schemaFor('a') === null, {
      what: 'the workers of a to disagree',
    });
    await rival.stop();

    const { workers: listed } = await broker.workers.list();
    expect(listed.find(({ workerId }) => workerId === 'w2')?.handlers).toEqual([
      { type: 'email.send', versions: [1, 2] },
    ]);
    const raw = redis.connect();
    // Rows of releases begin with a dot.
    const ofWorkers = async () =>
      (await raw.hkeys('rd:{.workers}:schemas')).filter((field) => !field.startsWith('.')).sort();
    expect(await ofWorkers()).toEqual(['w1', 'w2', 'w3']);
    expect(await raw.hget('rd:{.workers}:info', 'w1')).not.toContain('required');

    await Promise.all(workers.map((worker) => worker.stop()));
    expect((await look()).size).toBe(0);
    expect(await ofWorkers()).toEqual([]);
  });

  it('are told again when Redis has lost them, and read as untold meanwhile', async () => {
    const worker = start('w4', 'a', [emails]);
    const raw = redis.connect();
    await until(() => raw.hexists('rd:{.workers}:schemas', 'w4'), { what: 'the schemas to be there' });
    await raw.del('rd:{.workers}:schemas');
    const untold = (await look()).get('email.send 1');
    expect([untold?.workers, untold?.schemaFor('a')]).toEqual([1, null]);
    await raw.hset('rd:{.workers}:schemas', 'w4', 'damaged');
    const unreadable = (await look()).get('email.send 1');
    expect([unreadable?.workers, unreadable?.schemaFor('a')]).toEqual([1, null]);
    await worker.stop();
  });
});

describe('what a worker tells', () => {
  it('is the same for the same handlers, and nothing of payloads when there is nothing to tell', () => {
    expect(handlerReport([emails]).schemasDigest).toBe(handlerReport([emails]).schemasDigest);
    expect(handlerReport([emails]).schemasDigest).not.toBe(
      handlerReport([orders(z.object({}))]).schemasDigest,
    );
    const bare: Handler = { type: 'x', versions: [3], timeoutMs: 0, check: (payload) => payload, run };
    expect(handlerReport([bare])).toEqual({
      handlers: [{ type: 'x', versions: [3] }],
      schemasDigest: '',
      schemas: '',
    });
  });

  it('is bounded: of too many handlers nothing, of too many schemas the first', () => {
    const wide = z.object(
      Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`field${i}`, z.string()])),
    );
    const many = (count: number) =>
      Array.from({ length: count }, (_, i) => defineHandler({ type: `t${i}`, schema: wide, run }));
    const report = handlerReport(many(HANDLERS_MAX));
    expect(report.handlers).toHaveLength(HANDLERS_MAX);
    const told = JSON.parse(report.schemas) as { schema: unknown }[];
    expect(told[0]?.schema).not.toBeNull();
    expect(told.at(-1)?.schema).toBeNull();
    expect(report.schemas.length).toBeLessThan(SCHEMAS_MAX_CHARS + 100 * HANDLERS_MAX);
    expect(handlerReport(many(HANDLERS_MAX + 1))).toEqual({ handlers: [], schemasDigest: '', schemas: '' });
  });
});
