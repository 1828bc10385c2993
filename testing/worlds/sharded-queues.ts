/** Sharded queues for tests: made, looked into shard by shard, and held against the invariants. */
import { expect } from 'vitest';
import { layoutOf, type ShardLayout } from '@/lib/broker/shards/shard-layout';
import type { Sharding } from '@/lib/contract/queues/queue-config';
import type { RawQueue } from '../model/compare-ids';
import { readShards, shardViolations } from '../model/invariants';
import { BY, type World } from './world';

export interface ShardedQueue {
  readonly queue: string;
  readonly layout: ShardLayout;
  /** The raw rows of each shard. */
  raw(): Promise<RawQueue[]>;
  /** Each shard is sound, and no job is in two of them. */
  sound(): Promise<void>;
  /** Ids by shard. */
  ids(): Promise<string[][]>;
}

export async function shardedQueue(
  world: World,
  { count = 3, by = 'id' }: Partial<Sharding> = {},
): Promise<ShardedQueue> {
  const queue = world.freshQueue();
  await world.broker.sharding.set(queue, { count, by }, BY);
  const raw = () => readShards(world.redis, world.keys, queue, count);
  return {
    queue,
    layout: layoutOf(queue, { count, by }, 1),
    raw,
    sound: async () => expect(shardViolations(await raw())).toEqual([]),
    ids: async () => (await raw()).map((shard) => [...shard.hash('jobs').keys()].sort()),
  };
}
