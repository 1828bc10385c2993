/** Consoles' runners as real processes, killed outright with the lease in their hands: the next goes on within ten seconds. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Broker, createBroker } from '@/lib/broker';
import { createKeys } from '@/lib/broker/keys';
import { readRaw, violations } from '@/testing/invariants';
import { startOperation } from '@/testing/operations';
import { until } from '@/testing/poll';
import { Processes } from '@/testing/processes';
import { startRedis, type TestRedis } from '@/testing/redis';
import { jobs, killAll } from '@/testing/world';

const STEPPER = fileURLToPath(new URL('./fixtures-stepper.ts', import.meta.url));
const TAKEOVER_MS = 10_000;
const processes = new Processes();
let server: TestRedis;
let broker: Broker;
beforeAll(async () => {
  server = await startRedis();
  broker = createBroker({ url: server.path });
});
afterAll(async () => {
  await processes.stopAll();
  broker.close();
  await server.stop();
});

const runner = (id: string, name: string) =>
  processes.node(['--import', 'tsx', STEPPER, server.path, id, name], { name });

it('two runners die in turn, one of them in the middle of the canary: nothing is moved twice, nothing beyond the canary', async () => {
  const count = 3_000;
  await killAll(broker, 'orphans', jobs(count));
  const canary = { jobs: 400, maxDiedAgain: 0, waitMs: 600_000 };
  const pace = { ratePerSecond: 150, keepReadyBelow: null };
  const { id } = await startOperation(
    broker,
    { kind: 'redrive', q: 'queue:orphans' },
    { control: { canary, pace } },
  );
  const redis = server.connect();
  const moved = async () => (await broker.operations.get(id)).moved;
  const ready = () => redis.zcard('rd:{orphans}:ready');
  const alive = new Map(['first', 'second'].map((name) => [name, runner(id, name)]));
  await Promise.all([...alive.values()].map((process) => process.prints(/up/, 60_000)));
  const holder = async (): Promise<string> => {
    const record = await redis.hget(createKeys('rd').global('operationsRecords'), id);
    return JSON.parse(record ?? '{}').runner?.id ?? '';
  };
  /** Whoever has the lease dies, and somebody new stands by. */
  const die = async (newcomer: string, at: number): Promise<number> => {
    await until(async () => (await moved()) >= at, { what: `${at} jobs`, timeoutMs: 60_000 });
    const before = await moved();
    const name = await holder();
    expect([...alive.keys()]).toContain(name);
    alive.get(name)?.kill();
    alive.delete(name);
    alive.set(newcomer, runner(id, newcomer));
    await alive.get(newcomer)?.prints(/up/, 60_000);
    return before;
  };
  const atDeath = await die('third', 100);
  await until(async () => (await moved()) > atDeath + 30, {
    what: 'the next runner',
    timeoutMs: TAKEOVER_MS,
  });
  await until(async () => (await broker.operations.get(id)).phase === 'canary-wait', {
    what: 'the canary to be out',
    timeoutMs: 60_000,
  });
  expect(await ready()).toBe(400);
  // The canary completes; the rest may go, as fast as it goes.
  for (let left = 400; left > 0; ) {
    const taken = (await broker.claim('orphans', { worker: 'w', count: Math.min(left, 400) })).jobs;
    await broker.ack(
      'orphans',
      taken.map(({ jobId, token }) => ({ jobId, token })),
    );
    left -= taken.length;
  }
  const before = await die('fourth', 600);
  await until(async () => (await moved()) > before + 30, { what: 'the next runner', timeoutMs: TAKEOVER_MS });
  await broker.operations.change(
    id,
    { pace: { ratePerSecond: null, keepReadyBelow: null } },
    { actor: 'a test' },
  );
  await until(async () => (await broker.operations.get(id)).status === 'completed', {
    what: 'the end',
    timeoutMs: 60_000,
  });
  const done = await broker.operations.get(id);
  expect(done).toMatchObject({ moved: count, skipped: 0, scanned: count });
  expect(done.events.filter(({ what }) => what === 'taken-over').length).toBeGreaterThanOrEqual(2);
  expect(await ready()).toBe(count - 400);
  const raw = await readRaw(redis, createKeys('rd'), 'orphans');
  expect(violations(raw)).toEqual([]);
  expect(raw.counter('redriven')).toBe(count);
}, 240_000);
