/** What an application need not write itself: sending a job again until it is in, once. */
import { type Client, createClient, defineJob, RedriveError } from 'redrive';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { until } from '@/testing/poll';
import { expectWithin } from '@/testing/time-limit';
import { startProxy } from '@/testing/worlds/network-proxy';
import { startRedis, type TestRedis } from '@/testing/worlds/redis-server';

const charge = defineJob({ type: 'charge', schema: z.strictObject({ amount: z.number() }) });
const QUEUE = 'pay';

let redis: TestRedis;
beforeEach(async () => {
  redis = await startRedis(['--appendonly', 'yes', '--appendfsync', 'always']);
});
afterEach(() => redis.stop());

const codeOf = async (promise: Promise<unknown>): Promise<{ code: string; message: string }> => {
  const error = await promise.then(
    () => new Error('it came in'),
    (thrown: unknown) => thrown,
  );
  const code = error instanceof RedriveError ? error.code : 'no RedriveError';
  return { code, message: error instanceof Error ? error.message : String(error) };
};
/** Runs what is there. @returns how many jobs were completed so far */
async function runAll({ broker }: Client): Promise<number> {
  const { jobs } = await broker.claim(QUEUE, { worker: 'w', count: 100 });
  await broker.ack(QUEUE, jobs);
  return Number(await redis.connect().hget(`rd:{${QUEUE}}:counters`, 'completed'));
}
const enqueuedIn = async () => Number(await redis.connect().hget(`rd:{${QUEUE}}:counters`, 'enqueued'));

describe('a client', () => {
  it('F2: enqueues through a stop of Redis, one job and a batch, each once', async () => {
    const client = createClient({ url: redis.path });
    await client.enqueue(QUEUE, charge, { amount: 0 });
    await redis.kill();
    const sent = [
      client.enqueue(QUEUE, charge, { amount: 1 }, { jobId: 'own' }),
      client.enqueue(QUEUE, charge, { amount: 2 }),
      client.enqueueMany(
        QUEUE,
        charge,
        [3, 4, 5].map((amount) => ({ payload: { amount } })),
      ),
    ];
    await redis.restart();
    expect((await Promise.all(sent)).flat().map(({ outcome }) => outcome)).toEqual(Array(5).fill('ready'));
    expect(await enqueuedIn()).toBe(6);
    client.close();
  });

  it('F2: finds what an earlier try entered, though its job ran meanwhile and is not kept any more', async () => {
    const proxy = await startProxy({ path: redis.path });
    const client = createClient({ url: `redis://127.0.0.1:${proxy.port}` });
    const other = createClient({ url: redis.path });
    await other.broker.config.change(QUEUE, { completedKeep: 0 }, { actor: 'a test' });
    await client.enqueue(QUEUE, charge, { amount: 0 });
    await runAll(other);
    proxy.set('drop-replies');
    const sent = client.enqueueMany(QUEUE, charge, [{ payload: { amount: 1 } }, { payload: { amount: 2 } }]);
    await until(async () => (await runAll(other)) === 3, { what: 'both to run' });
    proxy.set('pass');
    proxy.reset();
    expect((await sent).map(({ outcome }) => outcome)).toEqual(['duplicate', 'duplicate']);
    expect((await other.broker.claim(QUEUE, { worker: 'w' })).jobs).toEqual([]);
    expect(await enqueuedIn()).toBe(3);
    client.close();
    other.close();
    await proxy.close();
  });

  it('F2: ends as an unknown outcome at its deadline when a try may be in, and never says that nothing was changed', async () => {
    const client = createClient({ url: redis.path, resendForMs: 6_000 });
    await client.enqueue(QUEUE, charge, { amount: 0 });
    const startedAt = performance.now();
    await redis.kill('SIGSTOP');
    const sent = codeOf(client.enqueue(QUEUE, charge, { amount: 1 }, { jobId: 'lost' }));
    // The first try ends with its call; those after it find nobody.
    await until(() => performance.now() - startedAt > 5_100, {
      what: 'the first try to end',
      timeoutMs: 10_000,
    });
    await redis.kill('SIGKILL');
    const { code, message } = await sent;
    expect(code).toBe('UNKNOWN_OUTCOME');
    expect(message).toMatch(/The job lost may or may not be in.*resendWindowMs/);
    expect(message).not.toMatch(/nothing was/i);
    await expectWithin(performance.now() - startedAt, 9_000);
    client.close();
  });

  it('F2: says that Redis cannot be reached when no try can be in, and does not wait where waiting cannot help', async () => {
    const client = createClient({ url: redis.path, resendForMs: 500 });
    await client.enqueue(QUEUE, charge, { amount: 0 });
    await redis.connect().config('SET', 'requirepass', 'secret');
    const guarded = createClient({ url: redis.path });
    const startedAt = performance.now();
    expect(await codeOf(guarded.enqueue(QUEUE, charge, { amount: 1 }))).toMatchObject({
      code: 'REDIS_UNAVAILABLE',
      message: expect.stringContaining('password'),
    });
    await expectWithin(performance.now() - startedAt, 5_000);
    await redis.kill();
    await until(
      async () => (await codeOf(client.enqueue(QUEUE, charge, { amount: 1 }))).code === 'REDIS_UNAVAILABLE',
      {
        what: 'the loss to be noticed',
      },
    );
    client.close();
    guarded.close();
  });

  it('F2: lets at most so many bytes wait, and ends a wait when it is closed or its signal is aborted', async () => {
    const client = createClient({ url: redis.path, resendMaxBytes: 1_000 });
    await client.enqueue(QUEUE, charge, { amount: 0 });
    await redis.kill();
    const abort = new AbortController();
    const waiting = codeOf(client.enqueue(QUEUE, charge, { amount: 1 }, {}, { signal: abort.signal }));
    const closed = codeOf(client.enqueue(QUEUE, charge, { amount: 2 }));
    const tooMany = Array.from({ length: 20 }, (_, amount) => ({ payload: { amount } }));
    expect((await codeOf(client.enqueueMany(QUEUE, charge, tooMany))).code).toMatch(
      /REDIS_UNAVAILABLE|UNKNOWN_OUTCOME/,
    );
    abort.abort(new Error('enough'));
    expect((await waiting).message).toMatch(/enough|may or may not be in/);
    client.close();
    expect((await closed).code).toMatch(/REDIS_UNAVAILABLE|UNKNOWN_OUTCOME|CLIENT_CLOSED/);
  });

  it.each([
    [{ resendForMs: 60_000 }, /resendForMs.*at most 55000/],
    [{ resendForMs: -1 }, /resendForMs/],
    [{ resendMaxBytes: 1.5 }, /resendMaxBytes/],
  ])(
    'F2: refuses a deadline beyond what every queue remembers, and other nonsense: %j',
    (options, sentence) => {
      expect(() => createClient({ url: redis.path, ...options })).toThrow(sentence);
    },
  );
});
