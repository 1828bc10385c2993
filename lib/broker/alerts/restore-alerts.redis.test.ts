/** Redis is emptied while alerts fire: the consoles that were there put them back, so that receivers are told of their end. */
import { beforeEach, expect, test } from 'vitest';
import type { StoredChannel } from '@/lib/contract/alerts/alert-storage';
import { BY, setUpWorld } from '@/testing/worlds/world';
import type { AlertFinding } from './advance-alerts';
import { channel, finding, RULES } from './fixture-findings';

const world = await setUpWorld();
const consoles = [world.broker, world.another()].map(({ alerts }) => alerts);
const [alerts = world.broker.alerts] = consoles;
const CHANNELS = [channel('night')];
beforeEach(() => world.redis.flushall());

async function look(findings: readonly AlertFinding[], afterMs: number): Promise<void> {
  world.clock.now += afterMs;
  await alerts.look({ at: world.clock.now, findings, isComplete: true }, RULES, CHANNELS);
}
/** One that was sent, and one that only stands. */
async function fire() {
  await look([finding()], 0);
  await look([finding(), finding({ code: 'DEEP' })], 30_000);
  return alerts.read();
}
const messages = async () =>
  (await alerts.deliveries({ limit: 10 })).deliveries.map(({ alertId, event }) => `${alertId} ${event}`);
const restoreAll = async (remembered: Awaited<ReturnType<typeof fire>>, channels: StoredChannel[] = []) =>
  Promise.all(consoles.map((one) => one.restore({ ...remembered, channels })));

const night = (over: Partial<StoredChannel> = {}): StoredChannel => ({
  ...{ name: 'night', target: 'a', kind: 'webhook', levels: ['bad'], codes: null, queues: null },
  ...{ from: null, to: null, everySeconds: null, secrets: '{}', intent: null, id: 'first' },
  ...over,
});

test('what was sent goes on under its id, once, and ends', async () => {
  await alerts.silence({ code: 'OLD', reason: 'planned', forMs: 3_600_000 }, BY);
  const remembered = await fire();
  const id = remembered.live.find(({ code }) => code === 'FAILING')?.id;
  await world.redis.flushall();
  await look([finding()], 5_000);
  await restoreAll(remembered);
  const { live, silences } = await alerts.read();
  expect(live).toMatchObject([{ id, code: 'FAILING', state: 'firing' }]);
  expect(silences).toEqual(remembered.silences);
  await look([finding()], 300_000);
  expect(await messages()).toEqual([]);
  await look([], 5_000);
  await look([], 60_000);
  expect(await messages()).toEqual([`${id} ended`]);
  // A console that notices the loss late brings nothing back.
  await restoreAll(remembered);
  expect((await alerts.read()).live).toEqual([]);
  expect(await messages()).toEqual([`${id} ended`]);
});

test('what was sent anew meanwhile ends under its old id', async () => {
  const remembered = await fire();
  const id = remembered.live.find(({ code }) => code === 'FAILING')?.id;
  await world.redis.flushall();
  const anew = (await fire()).live.find(({ code }) => code === 'FAILING')?.id;
  await restoreAll(remembered);
  expect((await alerts.read()).live.find(({ code }) => code === 'FAILING')?.id).toBe(anew);
  expect((await messages()).sort()).toEqual([`${anew} fired`, `${id} ended`].sort());
  expect((await alerts.ended({ limit: 10 })).alerts).toMatchObject([{ id, endedAt: world.clock.now }]);
});

test('channels of the console come back, so that they are told of the loss; what was made since wins', async () => {
  const made = (name: string, target: string) => night({ name, target, id: undefined });
  await alerts.addChannel(made('night', 'a'), BY);
  await alerts.addChannel(made('day', 'a'), BY);
  const [remembered, channels] = await Promise.all([alerts.read(), alerts.made()]);
  await world.redis.flushall();
  await alerts.addChannel(made('day', 'b'), BY);
  await restoreAll(remembered, channels);
  expect((await alerts.made()).map(({ name, target }) => `${name} ${target}`)).toEqual(['day b', 'night a']);
});

test('what a user removed before the loss stays away, whichever console restores first; a later channel of that name stays', async () => {
  const [mine = alerts, stale = alerts] = consoles;
  const silence = await alerts.silence({ code: 'OLD', reason: 'planned', forMs: 3_600_000 }, BY);
  await alerts.addChannel(night(), BY);
  const before = { ...(await stale.read()), channels: await stale.made() };
  await alerts.removeChannel('night', BY);
  await alerts.unsilence(silence.id, BY);
  const after = { ...(await mine.read()), channels: await mine.made() };
  expect(after.removedIds).toEqual(['first', silence.id]);
  for (const order of [
    [before, after],
    [after, before],
  ]) {
    await world.redis.flushall();
    for (const remembered of order) await alerts.restore(remembered);
    expect(await alerts.made()).toEqual([]);
    expect((await alerts.read()).silences).toEqual([]);
    const again = { ...after, channels: [night({ id: 'second' })] };
    for (const remembered of [again, before, again]) await alerts.restore(remembered);
    expect(await alerts.made()).toMatchObject([{ id: 'second' }]);
  }
});

test('a later channel of the name of a removed channel gets none of its messages, and is told of what stands', async () => {
  await alerts.addChannel(night(), BY);
  await fire();
  expect(await messages()).toHaveLength(1);
  await alerts.removeChannel('night', BY);
  expect((await alerts.deliveries({ limit: 10 })).deliveries).toMatchObject([
    { state: 'failed', error: 'The channel night was removed.' },
  ]);
  await alerts.addChannel(night(), BY);
  await look([finding(), finding({ code: 'DEEP' })], 5_000);
  const { deliveries } = await alerts.deliveries({ limit: 10 });
  expect(deliveries.map(({ event, state }) => `${event} ${state}`).sort()).toEqual([
    'fired failed',
    'fired waiting',
  ]);
});
