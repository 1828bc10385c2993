/** How Redis keeps the counts of a queue: as a list while it is quiet, as a table once each increment counts. */
import { expect, it } from 'vitest';
import { claimAll, enqueueAll, jobs, START, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

async function kept(queue: string) {
  const keys = (['counters', 'minutes', 'tallies'] as const).map((column) => world.column(queue, column));
  const rows = await Promise.all(keys.map((key) => world.redis.hgetall(key)));
  const kinds = await Promise.all(keys.map((key) => world.redis.object('ENCODING', key)));
  return { rows, kinds };
}

it('the counts of a busy queue become tables and lose nothing; those of a quiet one stay small', async () => {
  for (const [claimed, kind] of [
    [20, 'listpack'],
    [250, 'hashtable'],
  ] as const) {
    const queue = world.freshQueue();
    world.clock.now = START;
    await enqueueAll(world.broker, queue, jobs(claimed));
    await claimAll(world.broker, queue);
    const before = await kept(queue);
    expect(before.kinds).toEqual(['listpack', 'listpack', 'listpack']);
    await world.broker.maintain(queue);
    const after = await kept(queue);
    expect(after.kinds).toEqual([kind, kind, kind]);
    expect(after.rows[0]).toMatchObject(before.rows[0] ?? {});
    expect(after.rows.flatMap((row) => Object.keys(row))).not.toContain('.long');
    expect((await world.broker.inspect.ledger(queue)).difference).toBe(0);
  }
});
