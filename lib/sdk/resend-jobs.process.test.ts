/**
 * F2: a thousand jobs a second, while Redis is killed and started again and connections are cut. The promise is about what Redis
 * has kept, so it writes each command to disk before it answers (`appendfsync always`).
 */
import { createClient, defineJob } from 'redrive';
import { expect, it } from 'vitest';
import { z } from 'zod';
import type { ClaimedJob } from '@/lib/broker/application';
import { until } from '@/testing/poll';
import { startProxy, type TestProxy } from '@/testing/worlds/network-proxy';
import { setUpRedis } from '@/testing/worlds/set-up-redis';

const QUEUE = 'pay';
const PRODUCERS = 4;
const PER_SECOND = 1_000;
const SECONDS = 12;
const CALLS = PER_SECOND * SECONDS;
/** Every tenth call brings two. */
const JOBS = CALLS + CALLS / 10;
const charge = defineJob({ type: 'charge', schema: z.strictObject({ n: z.number() }) });

const redis = await setUpRedis(['--appendonly', 'yes', '--appendfsync', 'always']);

it('F2: every job of 1,000 a second is there exactly once, through kills of Redis and of connections', async () => {
  const proxy = await startProxy({ path: redis.path });
  // A cut seldom falls between a call and its reply, so one producer loses replies for certain.
  const clients = Array.from({ length: PRODUCERS }, (_, i) =>
    createClient({ url: i === 0 ? `redis://127.0.0.1:${proxy.port}` : redis.path, resendForMs: 50_000 }),
  );
  const [first] = clients;
  if (!first) throw new Error('there are four');
  await first.broker.config.change(QUEUE, { completedKeep: 10 }, { actor: 'a test' });

  let sending = true;
  const runs = new Map<string, number>();
  const worker = work(
    () => sending || runs.size < expected.size,
    (job) => {
      runs.set(job.jobId, (runs.get(job.jobId) ?? 0) + 1);
    },
  );
  const expected = new Set<string>();
  const outcomes = new Map<string, number>();
  const sent: Promise<void>[] = [];
  const enter = async (client: (typeof clients)[number], n: number): Promise<void> => {
    // Every other id is the library's own, and a tenth goes in batches.
    const own = n % 2 === 0 ? { jobId: `order-${n}` } : {};
    const results =
      n % 10 === 0
        ? await client.enqueueMany(QUEUE, charge, [{ payload: { n }, ...own }, { payload: { n: -n - 1 } }])
        : [await client.enqueue(QUEUE, charge, { n }, own)];
    for (const { jobId, outcome } of results) {
      expected.add(jobId);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  };

  let n = 0;
  const chaos = trouble(proxy, () => n);
  const startedAt = performance.now();
  await until(
    () => {
      const due = Math.floor(((performance.now() - startedAt) / 1_000) * PER_SECOND);
      for (; n < Math.min(due, CALLS); n++) {
        const client = clients[n % PRODUCERS];
        if (client) sent.push(enter(client, n));
      }
      return n >= CALLS;
    },
    { what: 'all jobs to be sent', timeoutMs: 60_000, everyMs: 5 },
  );
  const kills = await chaos;
  await Promise.all(sent);
  sending = false;
  await worker;

  // The history: each that was acknowledged ran, none twice, and Redis never entered one twice.
  expect(expected.size).toBe(JOBS);
  expect([...runs.keys()].filter((id) => !expected.has(id))).toEqual([]);
  expect([...expected].filter((id) => !runs.has(id))).toEqual([]);
  const ledger = await first.broker.inspect.ledger(QUEUE);
  expect(ledger).toMatchObject({ enqueued: expected.size, difference: 0 });
  const counters = await redis.connect().hgetall(`rd:{${QUEUE}}:counters`);
  expect(Number(counters.completed)).toBe(expected.size);
  // It was not an idle test: replies were lost, and what they had entered was found.
  expect(kills).toBeGreaterThanOrEqual(2);
  expect(outcomes.get('duplicate') ?? 0).toBeGreaterThan(0);
  for (const client of clients) client.close();
  await proxy.close();
}, 180_000);

/** Completes what comes, as a worker does that is never the one in trouble: it asks again until it is answered. */
async function work(goesOn: () => boolean, ran: (job: ClaimedJob) => void): Promise<void> {
  const client = createClient({ url: redis.path });
  const { broker } = client;
  const waiter = broker.waiter();
  while (goesOn()) {
    const nonce = `RUN${Math.random().toString(36).slice(2, 12)}00000000`.slice(0, 20);
    const claimed = await broker
      .claim(QUEUE, { worker: 'w', count: 200, leaseMs: 60_000, nonce })
      .catch(() => null);
    if (!claimed) {
      await until(() => broker.abandon(QUEUE, nonce).then(() => true), {
        what: 'the abandon',
        timeoutMs: 30_000,
      });
      continue;
    }
    if (claimed.jobs.length === 0) await waiter.wait([QUEUE], 50);
    const acks = claimed.jobs.map(({ jobId, token }) => ({ jobId, token }));
    const ends = await until(() => broker.ack(QUEUE, acks), { what: 'the acks', timeoutMs: 30_000 });
    claimed.jobs.forEach((job, i) => {
      if (ends[i] !== 'stale') ran(job);
    });
  }
  client.close();
}

/**
 * With every 400th call swallows the replies to 40 calls and cuts all connections; with every 2,400th it kills Redis instead of the cut.
 * @returns how often Redis was killed
 */
async function trouble(proxy: TestProxy, calls: () => number): Promise<number> {
  let kills = 0;
  const reached = (n: number) =>
    until(() => calls() >= n, { what: `call ${n}`, timeoutMs: 60_000, everyMs: 5 });
  for (let turn = 1; turn * 400 < CALLS; turn++) {
    await reached(turn * 400);
    proxy.set('drop-replies');
    await reached(turn * 400 + 40);
    proxy.reset();
    proxy.set('pass');
    if (turn % 6 === 0) {
      await redis.kill('SIGKILL');
      await redis.restart();
      kills += 1;
    } else {
      const admin = redis.connect({ maxRetriesPerRequest: 0 });
      await admin.call('CLIENT', 'KILL', 'TYPE', 'normal').catch(() => undefined);
      admin.disconnect();
    }
  }
  return kills;
}
