/** Names of queues without rows are forgotten, and no job is ever lost to that. */
import { describe, expect, it } from 'vitest';
import { SCRIPTS } from '@/lib/broker/lua.generated';
import { COLUMNS } from '@/lib/broker/redis/redis-keys';
import { BY, claimAll, jobs, setUpWorld } from '@/testing/worlds/world';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const world = await setUpWorld();

const enterOnly = (queue: string) => world.redis.zadd(world.keys.global('queues'), world.clock.now, queue);
const forgetAll = async () => {
  const forgotten: string[] = [];
  for (let turn = 0; turn < 40; turn++) forgotten.push(...(await world.broker.forgetUnused()));
  return forgotten;
};
const keysOf = (queue: string) => world.redis.keys(`rd:{${queue}*`);
const records = async () =>
  Object.keys(await world.redis.hgetall(world.keys.global('queuesSharding'))).filter((one) => one !== '#');

describe('H3: a name without rows', () => {
  it('H3: is forgotten ten minutes after it was entered last, and others are not', async () => {
    await world.broker.enqueue('used', { jobType: 'demo' });
    await world.broker.config.change('set', { depthLimit: 5 }, BY);
    await world.broker.pause('paused', { reason: 'a test' }, BY);
    for (const name of ['set', 'paused']) await enterOnly(name);
    for (let i = 0; i < 40; i++) await enterOnly(`junk${i}`);
    world.clock.now += 10 * MINUTE - 1;
    expect(await forgetAll()).toEqual([]);
    await enterOnly('junk7');
    world.clock.now += 1;
    expect(await forgetAll()).toHaveLength(39);
    world.clock.now += 30 * DAY;
    expect(await forgetAll()).toEqual(['junk7']);
    expect(await world.broker.inspect.queues()).toEqual(['paused', 'set', 'used']);
  });

  it('H3: whose keys somebody deleted is forgotten, and comes back with its next job', async () => {
    await world.broker.enqueue('dropped', { jobType: 'demo' });
    await world.redis.del(...(await keysOf('dropped')));
    world.clock.now += 11 * MINUTE;
    expect(await forgetAll()).toEqual(['dropped']);
    await world.another().enqueue('dropped', { jobType: 'demo' });
    expect(await world.broker.inspect.queues()).toContain('dropped');
  });

  it('M4: that was deleted is forgotten, and when it was deleted goes by itself', async () => {
    await enterOnly('deleted');
    const mark = world.column('deleted', 'finishedBefore');
    await world.redis
      .multi()
      .hset(mark, '.since', world.clock.now)
      .pexpire(mark, 10 * MINUTE)
      .exec();
    world.clock.now += 11 * MINUTE;
    expect(await forgetAll()).toEqual(['deleted']);
    expect(await keysOf('deleted')).toEqual([mark]);
  });

  it('H3: that a producer enters while its keys are looked at stays', async () => {
    await enterOnly('racing');
    world.clock.now += 11 * MINUTE;
    const [forgotten] = await Promise.all([
      forgetAll(),
      world.another().enqueue('racing', { jobType: 'demo' }),
    ]);
    const names = await world.broker.inspect.queues();
    // Forgotten before it was entered, or not at all: its job is never in a queue without a name.
    expect(forgotten.filter((name) => name !== 'racing')).toEqual([]);
    expect(names).toContain('racing');
  });
});

it('the script looks at every column there is, but for when a queue was deleted', () => {
  expect([...SCRIPTS.vacant.keys, 'finishedBefore'].sort()).toEqual(Object.keys(COLUMNS).sort());
});

describe('L4: a sharding that nobody uses', () => {
  it('L4: stays, so that a producer that knew it enters no job where nobody looks', async () => {
    await world.broker.sharding.set('chosen', { count: 4 }, BY);
    await world.broker.sharding.set('sharded', { count: 4 }, BY);
    const producer = world.another();
    await producer.sharding.get('chosen');
    await world.broker.audit.collect({ keys: [] });
    // Records are dated by the clock of the server, which is not the test's.
    for (const key of await world.redis.keys('rd:{*}:audit'))
      if (!key.includes('{.')) await world.redis.del(key);
    world.clock.now += 30 * DAY;
    expect(await forgetAll()).not.toContain('chosen');
    expect(await world.broker.inspect.queues()).toContain('chosen');
    expect(await records()).toContain('chosen');
    const sent = await producer.enqueueMany('chosen', jobs(40));
    expect(sent.every(({ outcome }) => outcome === 'ready')).toBe(true);
    expect(await claimAll(world.another(), 'chosen')).toHaveLength(40);
  });

  it('L4: stays when its keys are gone, too', async () => {
    await world.broker.sharding.set('emptied', { count: 2 }, BY);
    await world.redis.del(...(await keysOf('emptied')));
    world.clock.now += 30 * DAY;
    expect(await forgetAll()).not.toContain('emptied');
    expect(await records()).toContain('emptied');
  });

  it('L4: whose name is gone stays, and the name does not come back without a job', async () => {
    await world.broker.sharding.set('nameless', { count: 2 }, BY);
    await world.redis.zrem(world.keys.global('queues'), 'nameless');
    await forgetAll();
    expect(await world.broker.inspect.queues()).not.toContain('nameless');
    expect(await records()).toContain('nameless');
  });

  it('L4: is read only when it changed, whatever others there are', async () => {
    const other = world.another();
    await other.sharding.get('sharded');
    const calls = async () => {
      const info = await world.redis.info('commandstats');
      return Number(/cmdstat_hgetall:calls=(\d+)/.exec(info)?.[1] ?? 0);
    };
    const before = await calls();
    for (let i = 0; i < 20; i++) expect(await other.sharding.get('sharded')).toEqual({ count: 4, by: 'id' });
    expect((await calls()) - before).toBe(0);
    await world.broker.sharding.set('sharded2', { count: 2 }, BY);
    expect(await other.sharding.get('sharded2')).toEqual({ count: 2, by: 'id' });
  });
});
