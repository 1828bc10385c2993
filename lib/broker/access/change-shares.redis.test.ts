/** What users pay for audit events: all of a change or nothing, however many ask at once. */
import { beforeEach, describe, expect, it } from 'vitest';
import { setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();
beforeEach(async () => {
  await world.redis.flushall();
});
const HOUR = { limit: 100, windowMs: 3_600_000 };
const events = (n: number, queue = 'mail') => new Map([[queue, n]]);
const { changes } = world.broker.access;
const countOf = async () =>
  Object.values(await world.redis.hgetall(world.keys.global('accessUserAttempts'))).map((row) =>
    Number(row.split(' ')[1]),
  );

describe('the share of a user', () => {
  it('pays for all events of a change or for none, of many at once exactly as many as fit', async () => {
    const brokers = [world.broker, world.another(), world.another()];
    const paid = await Promise.all(
      Array.from({ length: 12 }, (_, i) => brokers[i % 3]?.access.changes.pay('ann', events(30), HOUR)),
    );
    expect(paid.filter((one) => one?.allowed)).toHaveLength(3);
    expect(await countOf()).toEqual([90]);
    expect((await changes.pay('ann', events(10), HOUR)).allowed).toBe(true);
    expect(await changes.pay('ann', events(1), HOUR)).toMatchObject({
      allowed: false,
      retryAfterMs: 3_600_000,
    });
    expect((await changes.pay('bob', events(100), HOUR)).allowed).toBe(true);
  });

  it('of a change under way is paid beyond the limit', async () => {
    expect((await changes.pay('ann', events(100), HOUR)).allowed).toBe(true);
    expect((await changes.pay('ann', events(1), { ...HOUR, mayExceed: true })).allowed).toBe(true);
    expect(await countOf()).toEqual([101]);
  });

  it('gets back what was not used, in the period in which it was paid and in no later one', async () => {
    const first = await changes.pay('ann', events(100), HOUR);
    await changes.giveBack('ann', events(40), first.endsAt);
    expect(await countOf()).toEqual([60]);
    world.clock.now += HOUR.windowMs;
    await changes.pay('ann', events(100), HOUR);
    await changes.giveBack('ann', events(60), first.endsAt);
    expect(await countOf()).toEqual([100]);
  });

  it('an administrator has none, and pays in the name of the queue all the same', async () => {
    for (let i = 0; i < 3; i += 1) expect((await changes.pay(null, events(100), HOUR)).allowed).toBe(true);
    expect(await countOf()).toEqual([]);
    expect((await changes.paid(['mail', 'other'])).get('mail')?.events).toBe(300);
    await changes.giveBack(null, events(50), 0);
    expect((await changes.paid(['mail'])).get('mail')?.events).toBe(250);
  });
});
