/** Schedules of a queue that is spread over hash slots: one fence, and jobs that are found like all others. */
import { expect, it } from 'vitest';
import { BY, claimAll, setUpWorld, stateOf } from '@/testing/worlds/world';
import { createSchedule, deleteSchedule, runSchedule, tickSchedules } from '.';

const world = await setUpWorld();

it.each(['id', 'tenant'] as const)(
  'sharded by %s: each slot one job, wherever one looks from',
  async (by) => {
    const queue = world.freshQueue();
    await world.broker.sharding.set(queue, { count: 5, by }, BY);
    const id = `by-${by}`;
    await createSchedule(
      world.broker,
      { id, queue, timing: { everyMs: 1_000 }, job: { jobType: 'demo' } },
      BY,
    );
    const others = [world.another(), world.another()];
    for (let second = 0; second < 8; second++) {
      world.clock.now += 1_000;
      await Promise.all([world.broker, ...others].map((broker) => tickSchedules(broker)));
    }
    const { schedule } = await world.broker.schedules.get(id);
    expect(schedule).toMatchObject({ entered: 8, skipped: 0 });
    const lastJob = schedule.last?.jobId ?? '';
    expect(await stateOf(world.broker, queue, lastJob)).toBe('ready');
    expect(await world.broker.cancel(queue, [lastJob], BY)).toEqual(['ok']);
    expect(await stateOf(world.broker, queue, lastJob)).toBe('dead');
    await runSchedule(world.broker, id, BY);
    const taken = await claimAll(world.broker, queue);
    expect(taken).toHaveLength(8);
    expect(await world.broker.ack(queue, taken)).toEqual(taken.map(() => 'completed'));
    expect(await world.broker.inspect.ledger(queue)).toMatchObject({ enqueued: 9, difference: 0 });
    expect(await world.broker.inspect.queues()).toContain(queue);
    await deleteSchedule(world.broker, id, BY);
  },
);
