/** Which shards hold anything in a state: of thousands, most hold nothing, and a call to each would take seconds. */
import { RedriveError } from '@/lib/contract/errors';
import type { JobState } from '@/lib/contract/states';
import type { BrokerContext } from '../context';
import { type Column, STATE_COLUMN } from '../keys';
import { pipelined } from '../pipelines';
import { isCluster } from '../server-check';
import type { Place } from '../sharded/places';

/** With so few, asking for their sizes first saves nothing. */
const FEW = 4;
const KEYS_PER_PART = 100;
/** Shards that hold something, of which one search or operation looks at no more. */
export const SEARCHED_SHARDS_MAX = 5_000;

export const holdingPlaces = <P extends Place>(
  ctx: BrokerContext,
  places: readonly P[],
  state: JobState,
): Promise<readonly P[]> => placesWith(ctx, places, STATE_COLUMN[state]);

/** Where a column has anything. A shard that cannot be asked is kept: the next call to it tells what is wrong. */
export async function placesWith<P extends Place>(
  ctx: BrokerContext,
  places: readonly P[],
  column: Column,
): Promise<readonly P[]> {
  if (places.length <= FEW) return places;
  const keys = places.map(({ name }) => ctx.keys.column(name, column));
  const asked = isCluster(ctx.redis) ? keys : await keysOfFullParts(ctx, keys);
  const found = await pipelined(ctx, asked, (pipeline, key) => pipeline.exists(key));
  const kept = new Set(asked.filter((_, i) => found[i] !== 0));
  return places.filter((_, i) => kept.has(keys[i] ?? ''));
}

/** One command says of many keys that none is there, as is so of most. A Cluster takes no command on keys of several slots. */
async function keysOfFullParts(ctx: BrokerContext, keys: readonly string[]): Promise<readonly string[]> {
  const parts = new Map<string, readonly string[]>();
  for (let i = 0; i < keys.length; i += KEYS_PER_PART)
    parts.set(keys[i] ?? '', keys.slice(i, i + KEYS_PER_PART));
  const counts = await pipelined(ctx, [...parts.keys()], (pipeline, first) =>
    pipeline.exists(...(parts.get(first) ?? [])),
  );
  return [...parts.values()].filter((_, i) => counts[i] !== 0).flat();
}

/** For what must reach all that matches, or not begin. @throws RedriveError VALIDATION when there are too many */
export async function allHoldingPlaces(
  ctx: BrokerContext,
  places: readonly Place[],
  state: JobState,
): Promise<readonly Place[]> {
  const holding = await holdingPlaces(ctx, places, state);
  if (holding.length > SEARCHED_SHARDS_MAX)
    throw new RedriveError(
      'VALIDATION',
      `Jobs in this state are in ${holding.length} shards of queues; one operation or export reaches at most ${SEARCHED_SHARDS_MAX}. Narrow it to some queues, such as queue:orders.`,
      { fields: [{ field: 'scope', message: `reaches more than ${SEARCHED_SHARDS_MAX} shards` }] },
    );
  return holding;
}
