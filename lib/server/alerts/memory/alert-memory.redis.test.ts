/** A console whose Redis loses its data puts back the alerts that it read before. */
import { expect, test } from 'vitest';
import { channel, finding, RULES } from '@/lib/broker/alerts/fixture-findings';
import type { StoredChannel } from '@/lib/contract/alerts/alert-storage';
import { BY, setUpWorld } from '@/testing/worlds/world';
import { AlertMemory } from './alert-memory';

const world = await setUpWorld();
const { alerts } = world.broker;
const night: StoredChannel = {
  ...{ name: 'night', target: 'a', kind: 'webhook', levels: ['bad'], codes: null, queues: null },
  ...{ from: null, to: null, everySeconds: null, secrets: '{}', intent: null, id: 'first' },
};
const look = async (afterMs: number) => {
  world.clock.now += afterMs;
  const seen = { at: world.clock.now, findings: [finding()], isComplete: true };
  await alerts.look(seen, RULES, [channel('night')]);
};

test('an alert that was sent stands under its id after FLUSHALL, as often as that happens', async () => {
  const memory = new AlertMemory(() => world.broker);
  await memory.read();
  await look(0);
  await look(30_000);
  const [sent] = (await memory.read()).live;
  expect(sent).toMatchObject({ state: 'firing' });
  for (let i = 0; i < 2; i++) {
    await world.redis.flushall();
    expect((await memory.read()).live).toEqual([sent]);
    expect((await alerts.read()).live).toEqual([sent]);
    expect((await memory.read()).live).toEqual([sent]);
  }
});

test('an alert that only stood is gone, and so is one of a console that starts afterwards', async () => {
  await world.redis.flushall();
  const memory = new AlertMemory(() => world.another());
  await look(0);
  expect((await memory.read()).live).toMatchObject([{ state: 'pending' }]);
  await world.redis.flushall();
  expect((await memory.read()).live).toEqual([]);
  await look(0);
  await look(30_000);
  await world.redis.flushall();
  const late = new AlertMemory(() => world.broker);
  expect((await late.read()).live).toEqual([]);
});

test('a channel that this console removed comes back neither from its memory nor from that of another console', async () => {
  await world.redis.flushall();
  const memories = [world.broker, world.another()].map((broker) => new AlertMemory(() => broker));
  await alerts.addChannel(night, BY);
  for (const memory of memories) await memory.read();
  const id = await alerts.removeChannel('night', BY);
  memories[0]?.rememberRemoval(id);
  // Neither console read anything between the removal and the loss.
  await world.redis.flushall();
  for (const memory of [...memories].reverse()) await memory.read();
  expect(await alerts.made()).toEqual([]);
});
