/** How the last runs ended, from what Redis keeps anyway. */
import { describe, expect, it } from 'vitest';
import type { RecentRun, ScheduleRequest } from '@/lib/contract/schedules/schedule-schemas';
import { BY, claimAll, failure, setUpWorld } from '@/testing/worlds/world';
import { changeSchedule, createSchedule, deleteSchedule, tickSchedules } from '.';

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
async function runsOf(id: string): Promise<RecentRun[]> {
  const { listed } = await world.broker.schedules.listed(500);
  const runs = await world.broker.schedules.recentRuns(listed.map(({ summary }) => summary));
  return runs[listed.findIndex(({ summary }) => summary.id === id)] ?? [];
}
const outcomes = async (id: string): Promise<string[]> => (await runsOf(id)).map(({ outcome }) => outcome);

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
    for (let minute = 0; minute < 12; minute++) await tick();
    expect(await outcomes(id)).toHaveLength(12);
    const { schedule } = await world.broker.schedules.get(id);
    expect(await world.broker.schedules.runsOf(schedule)).toHaveLength(16);
  });

  it('outlive a change, which gives later jobs other ids, and end with a new schedule of the same id', async () => {
    const { id, queue } = await create();
    await tick();
    await world.broker.ack(queue, await claimAll(world.broker, queue));
    const before = await runsOf(id);
    await changeSchedule(world.broker, id, { missed: 'skip' }, BY);
    expect(await runsOf(id)).toEqual(before);
    await tick();
    expect(await outcomes(id)).toEqual(['completed', 'waiting']);
    await deleteSchedule(world.broker, id, BY);
    await create({ id, queue });
    expect(await outcomes(id)).toEqual([]);
  });

  it('say how many were missed, also once later ones have run', async () => {
    const { id } = await create({ missed: 'skip' });
    await tick();
    const [first] = await runsOf(id);
    await tick(8);
    await tick();
    const runs = await runsOf(id);
    expect(runs.map(({ outcome, count }) => `${outcome} ${count}`)).toEqual([
      'waiting 1',
      'missed 7',
      'waiting 1',
      'waiting 1',
    ]);
    expect(runs[1]?.at).toBe((first?.at ?? 0) + MINUTE_MS);
    expect(runs[1]?.jobId).toBeNull();
    const { schedule } = await world.broker.schedules.get(id);
    expect(schedule.skipped).toBe(7);
  });

  it('are skipped or missed where they entered no job', async () => {
    const overlapping = await create({ overlap: 'skip' });
    const skipping = await create({ missed: 'skip', timing: { cron: '*/5 * * * *' } });
    await tick();
    await tick();
    await tick();
    expect((await runsOf(overlapping.id)).map(({ outcome, count }) => `${outcome} ${count}`)).toEqual([
      'waiting 1',
      'skipped 2',
    ]);
    await tick(22);
    expect(await outcomes(skipping.id)).toContain('missed');
  });
});
