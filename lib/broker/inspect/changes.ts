/** What people changed about a queue, newest first. Written by the scripts that made the changes. */
import type { Change } from '@/lib/contract/config';
import type { BrokerContext } from '../context';
import { readNote } from '../note';
import { pairs } from '../reply';
import { askPlaces, placesOf } from '../sharded/places';
import type { ShardedContext } from '../shards';

export const CHANGES_MAX = 200;

/** Asked at a time. */
const SHARDS_AT_ONCE = 8;

/**
 * Of a queue in several shards the first keeps the record, but each says itself what an operation did in it.
 * @throws when one of them does not answer: a part of the record would look like all of it
 */
export async function changes(ctx: ShardedContext, queue: string, limit: number): Promise<Change[]> {
  const [first, ...others] = await placesOf(ctx, [ctx.shards.check(queue)]);
  const own = await changesIn(ctx, first?.name ?? queue, limit);
  if (others.length === 0) return own;
  const { found, missing } = await askPlaces(others, SHARDS_AT_ONCE, ({ name }) =>
    changesIn(ctx, name, limit),
  );
  if (missing[0]) throw missing[0].error;
  const all = [
    { shard: 0, of: own },
    ...found.map(({ place, value }) => ({ shard: place.shard, of: value })),
  ];
  return all
    .flatMap(({ shard, of }) => of.flatMap((change) => inShard(change, shard)))
    .sort((a, b) => b.at - a.at)
    .slice(0, Math.min(limit, CHANGES_MAX));
}

function inShard(change: Change, shard: number): Change[] {
  if (change.what !== 'operation') return shard === 0 ? [change] : [];
  return [{ ...change, id: `${change.id}@${shard}`, after: `${change.after ?? ''} (shard ${shard})` }];
}

async function changesIn(ctx: BrokerContext, name: string, limit: number): Promise<Change[]> {
  const key = ctx.keys.column(name, 'changes');
  const entries = await ctx.plain((redis) =>
    redis.xrevrange(key, '+', '-', 'COUNT', Math.min(limit, CHANGES_MAX)),
  );
  return entries.map(([id, flat]) => {
    const fields = pairs(flat, 'changes');
    const by = readNote(fields.get('by') ?? '');
    return {
      id,
      at: Number(fields.get('at') ?? 0),
      what: fields.get('what') ?? '',
      actor: by.actor ?? 'unknown',
      reason: by.reason ?? null,
      requestId: by.requestId ?? null,
      before: fields.get('before') || null,
      after: fields.get('after') || null,
    };
  });
}
