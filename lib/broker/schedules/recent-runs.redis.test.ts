/** How the last runs ended, from what Redis keeps anyway. */
import { describe, expect, it } from 'vitest';
import type { ScheduleRequest } from '@/lib/contract/schedules/schedule-schemas';
import { BY, claimAll, failure, setUpWorld } from '@/testing/worlds/world';
import { changeSchedule, createSchedule, tickSchedules } from '.';

const world = await setUpWorld();
const MINUTE_MS = 60_000;

async function create(rest: Partial<ScheduleRequest> = {}): Promise<{ id: string; queue: string }> {
  const queue = world.freshQueue();
  const timing = { everyMs: MINUTE_MS };
  const { id } = await createSchedule(
    world.broker,
    { id: `s-${queue}`, queue, timing, job: { jobType: 'demo' }, ...rest },
    BY,
  );
  return { id, queue };
}
async function tick(minutes = 1): Promise<void> {
  world.clock.now += minutes * MINUTE_MS;
  await tickSchedules(world.broker);
}
async function outcomes(id: string): Promise<string[]> {
  const { listed } = await world.broker.schedules.listed(500);
  const runs = await world.broker.schedules.recentRuns(listed);
  return (runs[listed.findIndex(({ summary }) => summary.id === id)] ?? []).map(({ outcome }) => outcome);
}

describe('recent runs', () => {
  it('are completed, dead, running, waiting, or not known any more, oldest first', async () => {
    const { id, queue } = await create();
    expect(await outcomes(id)).toEqual([]);
    await tick();
    await world.broker.ack(queue, await claimAll(world.broker, queue));
    await tick();
    const [second] = await claimAll(world.broker, queue);
    if (!second) throw new Error('no job');
    await world.broker.fail(queue, [{ ...second, failure: failure('X') }]);
    await tick();
    const [third] = await claimAll(world.broker, queue, { leaseMs: 3_600_000 });
    await tick();
    expect(await outcomes(id)).toEqual(['completed', 'dead', 'running', 'waiting']);
    // Deleted, it is not known how it would have ended; what completed and left is remembered for a while.
    await world.broker.remove(queue, [second.jobId], BY);
    await world.broker.config.change(queue, { completedKeep: 0 }, BY);
    await world.broker.ack(queue, third ? [third] : []);
    expect((await outcomes(id)).slice(1)).toEqual(['unknown', 'completed', 'waiting']);
    await tick(20);
    expect(await outcomes(id)).toHaveLength(12);
    await changeSchedule(world.broker, id, { missed: 'skip' }, BY);
    expect(await outcomes(id)).toEqual([]);
  });

  it('are skipped or missed where the record of the last one says so', async () => {
    const overlapping = await create({ overlap: 'skip' });
    const skipping = await create({ missed: 'skip', timing: { cron: '*/5 * * * *' } });
    await tick();
    await tick();
    await tick();
    expect(await outcomes(overlapping.id)).toEqual(['waiting', 'skipped', 'skipped']);
    await tick(22);
    expect((await outcomes(skipping.id)).at(-1)).toBe('missed');
  });
});
