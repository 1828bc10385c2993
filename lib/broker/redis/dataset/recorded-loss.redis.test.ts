import { afterAll, expect, test } from 'vitest';
import { DAY_MS } from '@/lib/contract/time-units';
import { type Broker, createBroker } from '@/testing/create-broker';
import { setUpRedis } from '@/testing/worlds/set-up-redis';

const server = await setUpRedis();
const KEY = 'rd:{.dataset}:loss';
const brokers: Broker[] = [];
afterAll(() => {
  for (const broker of brokers) broker.close();
});
function startBroker(): Broker {
  const broker = createBroker({ url: server.path });
  brokers.push(broker);
  return broker;
}

test('F3: one that starts after a loss says what those say that were there', async () => {
  const [one, other] = [startBroker(), startBroker()];
  expect([await one.dataset.loss(), await other.dataset.loss()]).toEqual([null, null]);
  const before = Date.now();
  await server.connect().flushall();
  // Both notice, and each by its own clock.
  await Promise.all([one.dataset.look(), other.dataset.look()]);
  const loss = await one.dataset.loss();
  expect(loss).toMatchObject({ kind: 'emptied' });
  expect(loss?.lastSeenAt).toBeLessThanOrEqual(before);
  const young = startBroker();
  expect([await other.dataset.loss(), await young.dataset.loss()]).toEqual([loss, loss]);
  expect(young.dataset.state()).toEqual({ loss: null, losses: 0 });
  const leftMs = await server.connect().pttl(KEY);
  expect(leftMs).toBeGreaterThan(DAY_MS - 60_000);
  expect(leftMs).toBeLessThanOrEqual(DAY_MS);
});

test('F3: the record of an earlier loss, which came with a backup, gives way', async () => {
  const redis = server.connect();
  const broker = startBroker();
  await broker.dataset.loss();
  await redis.set('rd:{.dataset}:id', `${'a'.repeat(32)} 1000`);
  await redis.set(KEY, 'emptied 1000 2000');
  const loss = await broker.dataset.loss();
  expect(loss).toMatchObject({ kind: 'other' });
  expect(await startBroker().dataset.loss()).toEqual(loss);
});

test('F3: what is no record is none', async () => {
  await server.connect().set(KEY, 'emptied yesterday');
  expect(await startBroker().dataset.loss()).toBeNull();
});
