/** The shards of several queues, for what looks at all of them. */
import type { ShardedContext } from '../shards';
import { inLanes } from './fan-out';

export interface Place {
  readonly queue: string;
  readonly shard: number;
  /** The physical name. */
  readonly name: string;
}

export async function placesOf(ctx: ShardedContext, queues: readonly string[]): Promise<Place[]> {
  const places: Place[] = [];
  for (const queue of queues) {
    const { names } = ctx.shards.recent(queue) ?? (await ctx.shards.of(queue));
    names.forEach((name, shard) => {
      places.push({ queue, shard, name });
    });
  }
  return places;
}

export interface Found<R, P extends Place = Place> {
  readonly found: readonly { place: P; value: R }[];
  readonly missing: readonly { place: P; error: unknown }[];
}

/** Asks each place, at most `atOnce` at a time. @throws the first error when none of them answers */
export async function askPlaces<R, P extends Place>(
  places: readonly P[],
  atOnce: number,
  ask: (place: P) => Promise<R>,
): Promise<Found<R, P>> {
  const found: { place: P; value: R }[] = [];
  const missing: { place: P; error: unknown }[] = [];
  await inLanes(places, atOnce, async (place) => {
    try {
      found.push({ place, value: await ask(place) });
    } catch (error) {
      missing.push({ place, error });
    }
  });
  if (found.length === 0 && missing[0]) throw missing[0].error;
  return { found, missing };
}

/** The total order of places: by queue, then by shard. Names are ASCII, so this is the order of their bytes. */
export const byPlace = (a: Pick<Place, 'queue' | 'shard'>, b: Pick<Place, 'queue' | 'shard'>): number =>
  a.queue === b.queue ? a.shard - b.shard : a.queue < b.queue ? -1 : 1;
