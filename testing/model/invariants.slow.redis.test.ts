/** Invariants 1–26 under random commands with tenant limits, fairness and pauses, where no model says what exactly happens. */
import { describe, expect, it } from 'vitest';
import { layoutOf, shardOfJob } from '@/lib/broker/shards/shard-layout';
import { runInvariants } from '@/testing/model/invariant-run';
import { BY, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

describe('whatever is done, in whatever order, with tenants at their limits', () => {
  it('one shard', { timeout: 120_000 }, async () => {
    const { commands } = await runInvariants(world, { runs: 25, commands: 120 });
    expect(commands).toBe(25 * 120);
  });

  it.each(['id', 'tenant'] as const)('four shards by %s', { timeout: 120_000 }, async (by) => {
    const layout = (queue: string) => layoutOf(queue, { count: 4, by }, 1);
    await runInvariants(world, {
      runs: 12,
      commands: 120,
      // Limits of tenants belong to one shard, and shared-out limits are at least one a shard.
      limits: by === 'id' ? 'queue' : 'all',
      shardsOf: (queue) => layout(queue).names,
      placeOf: (queue, job) => layout(queue).names[shardOfJob(layout(queue), job)] ?? queue,
      prepare: async ({ broker }, queue) => {
        await broker.sharding.set(queue, { count: 4, by }, BY);
      },
    });
  });
});
