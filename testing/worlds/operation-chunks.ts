/** Chunks of operations without a search: a test says itself what was found. */

import { type MoveChunk, type MoveHit, moveChunk } from '@/lib/broker/operations/kinds/move-chunk';
import type { MoveSpec } from '@/lib/broker/operations/kinds/move-spec';
import type { ShardProgress } from '@/lib/broker/operations/kinds/shard-progress';
import { createContext } from '@/lib/broker/redis/broker-context';
import { STATE_COLUMN } from '@/lib/broker/redis/redis-keys';
import { type ShardedContext, withShards } from '@/lib/broker/shards/sharded-context';
import type { JobState } from '@/lib/contract/jobs/job-states';
import type { World } from './world';

export const contextOf = (world: World): ShardedContext =>
  withShards(createContext({ redis: world.server.connect(), clock: () => world.clock.now }));

export const specFor = (spec: Partial<MoveSpec> & Pick<MoveSpec, 'kind' | 'state'>): MoveSpec => ({
  id: 'op-1',
  by: { actor: 'ann', reason: 'a test' },
  target: null,
  patch: null,
  dueAt: null,
  includeUnsafe: false,
  undoes: null,
  ...spec,
});

export type FoundHit = Omit<MoveHit, 'looked'>;

/** What is in a state of a shard now, oldest first, as a search finds it. */
export async function hitsIn(world: World, name: string, state: JobState): Promise<FoundHit[]> {
  const flat = await world.redis.zrange(world.column(name, STATE_COLUMN[state]), '0', '-1', 'WITHSCORES');
  const deaths = await world.redis.hgetall(world.column(name, 'deaths'));
  const claims = await world.redis.hgetall(world.column(name, 'claims'));
  return Array.from({ length: flat.length / 2 }, (_, i) => {
    const [jobId = '', score = ''] = [flat[2 * i], flat[2 * i + 1]];
    const stamp = state === 'in-flight' ? (claims[jobId]?.split(' ')[0] ?? '') : score;
    return { jobId, stamp, score, class: deaths[jobId]?.split(' ')[1] ?? null };
  });
}

export const cursorOf = (hit: FoundHit | undefined): string => (hit ? `${hit.score}|${hit.jobId}` : '');

/** All of these as one chunk, the last there is. */
export const lastChunk = (hits: readonly FoundHit[]): MoveChunk => ({
  hits: hits.map((hit, i) => ({ ...hit, looked: i + 1 })),
  cursor: cursorOf(hits.at(-1)),
  done: true,
  scanned: hits.length,
});

/** Moves all that is in the operation's state, in one chunk. */
export async function moveAll(
  world: World,
  ctx: ShardedContext,
  name: string,
  spec: MoveSpec,
): Promise<ShardProgress> {
  return moveChunk(ctx, { name }, spec, '', lastChunk(await hitsIn(world, name, spec.state)));
}
