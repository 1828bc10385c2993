/** A console whose Redis loses its data puts back the alerts that it read before. */
import { expect, test } from 'vitest';
import { channel, finding, RULES } from '@/lib/broker/alerts/fixture-findings';
import { setUpWorld } from '@/testing/worlds/world';
import { AlertMemory } from './alert-memory';

const world = await setUpWorld();
const { alerts } = world.broker;
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
