/** The shards of several queues, for what looks at all of them. */

import { answersOrThrow, askShards, groupWithPositions, type ShardAnswers } from './fan-out';
import type { ShardedContext } from './sharded-context';

export interface ShardRef {
  readonly queue: string;
  readonly shard: number;
  readonly name: string;
}

export async function shardRefsOf(ctx: ShardedContext, queues: readonly string[]): Promise<ShardRef[]> {
  const shards: ShardRef[] = [];
  for (const queue of queues) {
    const { names } = ctx.shards.recent(queue) ?? (await ctx.shards.of(queue));
    shards.push(...names.map((name, shard) => ({ queue, shard, name })));
  }
  return shards;
}

/** At most `most`, in their order: the first shard of every queue before the second of any, so that a queue of many hides no other. */
export function firstShardsOf<P extends ShardRef>(shards: readonly P[], most: number): readonly P[] {
  if (shards.length <= most) return shards;
  const taken = new Set(shards.toSorted((a, b) => a.shard - b.shard).slice(0, most));
  return shards.filter((shard) => taken.has(shard));
}

/** Asks each shard, at most `atOnce` at a time. @throws the first error when none of them answers */
export async function queryShards<R, P extends ShardRef>(
  shards: readonly P[],
  atOnce: number,
  ask: (shard: P) => Promise<R>,
): Promise<ShardAnswers<R, P>> {
  const answers = await askShards(shards, atOnce, ask);
  answersOrThrow(answers);
  return answers;
}

/** The same for items of several shards: asks each shard about its own items. */
export function queryShardsOf<T extends { readonly shard: ShardRef }, R>(
  items: readonly T[],
  atOnce: number,
  ask: (shard: ShardRef, items: readonly T[]) => Promise<R>,
): Promise<ShardAnswers<R, ShardRef>> {
  const groups = groupWithPositions(items, ({ shard }) => shard.name);
  const shards = [...groups.values()].flatMap(({ items: [first] }) => first?.shard ?? []);
  return queryShards(shards, atOnce, (shard) => ask(shard, groups.get(shard.name)?.items ?? []));
}

/** The total order of shards: by queue, then by shard. Names are ASCII, so this is the order of their bytes. */
export const compareShardRefs = (
  a: Pick<ShardRef, 'queue' | 'shard'>,
  b: Pick<ShardRef, 'queue' | 'shard'>,
): number => (a.queue === b.queue ? a.shard - b.shard : a.queue < b.queue ? -1 : 1);
