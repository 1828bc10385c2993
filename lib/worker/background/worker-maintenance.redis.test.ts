/** Maintenance by a worker of many queues: cheap where nothing is due, in time where something is. */
import { expect, it } from 'vitest';
import { until } from '@/testing/poll';
import { expectWithin } from '@/testing/time-limit';
import { claimOne, setUpWorld, stateOf } from '@/testing/worlds/world';
import { SILENT } from '../worker-types';
import { startMaintenance } from './worker-maintenance';

const world = await setUpWorld();
const QUEUES = 300;

it('looks at idle queues with one script, and does what falls due in any of them within a second', async () => {
  const broker = world.another({ clock: undefined });
  const queues = Array.from({ length: QUEUES }, () => world.freshQueue());
  // The last in turn: their whole maintenance is fifteen ticks away.
  const [tokenless = '', expired = '', delayed = ''] = queues.slice(-3);
  for (const queue of [tokenless, expired]) await broker.enqueue(queue, { jobId: 'one', jobType: 'demo' });
  await world.redis.del(world.column(tokenless, 'wake'));
  await claimOne(broker, expired);
  await world.redis.zadd(world.column(expired, 'inflight'), 1, 'one');
  await broker.enqueue(delayed, { jobId: 'one', jobType: 'demo', delayMs: 1_500 });
  let ticks = 0;
  await world.redis.config('RESETSTAT');
  const startedAtMs = performance.now();
  const maintenance = startMaintenance({
    broker: {
      maintain: broker.maintain,
      async maintainDue(...call) {
        ticks += 1;
        return broker.maintainDue(...call);
      },
    },
    queues,
    random: () => 0.5,
    logger: SILENT,
    redisNowMs: () => Date.now(),
    isIdle: () => true,
    onTrouble: () => undefined,
  });
  try {
    await until(() => world.redis.exists(world.column(tokenless, 'wake')), { what: 'the token', everyMs: 5 });
    await until(async () => (await stateOf(broker, expired, 'one')) === 'ready', { what: 'the lease' });
    await expectWithin(performance.now() - startedAtMs, 1_000);
    await until(() => ticks >= 2, { what: 'a second tick' });
    await until(async () => (await stateOf(broker, delayed, 'one')) === 'ready', { what: 'the time' });
    await expectWithin(performance.now() - startedAtMs, 2_000);
  } finally {
    await maintenance.stop();
  }
  const [, calls] = /cmdstat_evalsha:calls=(\d+)/.exec(await world.redis.info('commandstats')) ?? [];
  // A whole maintenance is three scripts, sixteen queues have one in a tick.
  expect(Number(calls) / ticks).toBeLessThan(QUEUES / 2);
});
