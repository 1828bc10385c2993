/** Which shards hold anything in a state: of thousands, most hold nothing, and a call to each would take seconds. */
import { RedriveError } from '@/lib/contract/errors';
import type { JobState } from '@/lib/contract/states';
import type { BrokerContext } from '../context';
import { type Column, STATE_COLUMN } from '../keys';
import { pipelined } from '../pipelines';
import type { Place } from '../sharded/places';

/** With so few, asking for their sizes first saves nothing. */
const FEW = 4;
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
  const found = await pipelined(ctx, keys, (pipeline, key) => pipeline.exists(key));
  return places.filter((_, i) => found[i] !== 0);
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
