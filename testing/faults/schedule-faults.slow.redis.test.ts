/** B18: one call that never returned, and no schedule ran any more. Here Redis is silent for one ticker alone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSchedule } from '@/lib/broker/schedules';
import { startScheduleTicks } from '@/lib/worker/background/schedule-ticks';
import { createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { startProxy, type TestProxy } from '@/testing/worlds/network-proxy';
import { BY, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();
let proxy: TestProxy;
beforeAll(async () => {
  proxy = await startProxy({ path: world.server.path });
});
afterAll(async () => {
  await proxy.close();
});

describe('B18: a ticker whose Redis falls silent', () => {
  it('is told so in time, leaves the slots to the others, and ticks again when it is over', {
    timeout: 60_000,
  }, async () => {
    const direct = world.another({ clock: undefined });
    const behind = createBroker({ url: `redis://127.0.0.1:${proxy.port}` });
    const troubles: string[] = [];
    const start = (broker: typeof direct, name: string) =>
      startScheduleTicks({
        broker,
        random: Math.random,
        logger: { debug() {}, info() {}, warn() {}, error() {} },
        onTrouble: (where) => troubles.push(`${name}: ${where}`),
      });
    const queue = world.freshQueue();
    await createSchedule(
      direct,
      { id: 'often', queue, timing: { everyMs: 1_000 }, job: { jobType: 'demo', payload: '1' } },
      BY,
    );
    const entered = async () => (await direct.schedules.get('often')).schedule.entered;
    const silenced = start(behind, 'silenced');
    await until(async () => (await entered()) > 0, { what: 'the first slot', timeoutMs: 10_000 });
    proxy.set('stall');
    await until(() => troubles.length > 0, { what: 'the silence to be noticed', timeoutMs: 15_000 });
    const noticed = await entered();
    const other = start(direct, 'other');
    await until(async () => (await entered()) > noticed + 1, {
      what: 'another ticker to go on',
      timeoutMs: 10_000,
    });
    await other.stop();
    proxy.set('pass');
    const healed = await entered();
    await until(async () => (await entered()) > healed + 1, {
      what: 'the first to tick again',
      timeoutMs: 15_000,
    });
    await silenced.stop();
    behind.close();
    expect(troubles.every((where) => where.startsWith('silenced'))).toBe(true);
    // One job a slot, whoever was silent; those missed meanwhile were made up for by one.
    const { jobs: found } = await direct.claim(queue, { worker: 'w1', count: 100 });
    const slots = found.map(({ jobId }) => Number(jobId.split('.')[2]));
    expect(new Set(slots).size).toBe(slots.length);
    expect(slots.every((slot) => slot % 1_000 === 0)).toBe(true);
  });
});
