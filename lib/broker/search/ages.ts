/** How old what matches is. What is alike of dead letters says nothing of times, so this is found out another way. */
import { AGE_BUCKETS, type FacetValue } from '@/lib/contract/dead';
import { type Filter, parseQueryOrThrow, withTerm } from '@/lib/contract/query';
import type { BrokerContext } from '../context';
import { inLanes } from '../sharded/fan-out';
import type { Place } from '../sharded/places';
import { type Census, sampled } from './census';
import { compile } from './compile';
import { sizeOf } from './count';
import type { Search } from './request';
import { openWalk } from './scan';

export interface Ages {
  readonly values: FacetValue[];
  /** Of how many of the newest; null: of all. */
  readonly sampled: number | null;
}

/** Asked at a time. */
const AT_ONCE = 8;
/** Entries of one bucket in one place worth looking at, and places worth doing that in. */
const BUCKET_ENTRIES = 750;
const PLACES_MAX = 8;
/** Matches a sample of ages has. */
const SAMPLE = 500;

/**
 * By ranks, where one range of an index holds all that matches. Else by looking through the buckets that hold little: the rest is
 * in the one that is left. Else of the newest.
 */
export async function agesOf(ctx: BrokerContext, search: Search, told: Census): Promise<Ages> {
  const { question } = search;
  if (told.entered) return { values: bucketed(told.entered, question.at), sampled: told.sampled };
  const places = told.parts.map(({ place }) => place);
  const counts = places.every((place) => compile(question, place.queue).program === null)
    ? await eachBucket(places, (place, bucket) => sizeOf(ctx, place, asked(search, bucket)))
    : places.length <= PLACES_MAX
      ? withRest(
          await eachBucket(places, (place, bucket) => countFew(ctx, place, asked(search, bucket))),
          told.matching.count,
        )
      : null;
  if (counts)
    return { values: AGE_BUCKETS.map(({ value }, i) => ({ value, count: counts[i] ?? 0 })), sampled: null };
  const some = await sampled(ctx, search, SAMPLE);
  return { values: bucketed(some.entered ?? [], question.at), sampled: some.sampled };
}

const BUCKETS: readonly Filter[] = AGE_BUCKETS.map(({ query }) => parseQueryOrThrow(query));
const asked = ({ question }: Search, bucket: Filter) => ({
  ...question,
  filter: withTerm(question.filter, bucket),
});

/** Sums over the places; null where one of them could not tell. */
async function eachBucket<N extends number | null>(
  places: readonly Place[],
  count: (place: Place, bucket: Filter) => Promise<N>,
): Promise<(number | N)[]> {
  const sums: (number | N)[] = BUCKETS.map(() => 0);
  const calls = places.flatMap((place) => BUCKETS.map((bucket, i) => ({ place, bucket, i })));
  const found: (N | undefined)[] = calls.map(() => undefined);
  await inLanes(
    calls.map((call, n) => ({ ...call, n })),
    AT_ONCE,
    async ({ place, bucket, n }) => {
      // What cannot be read is missing from the sum, as from all others; the answer says so.
      found[n] = await count(place, bucket).catch(() => undefined);
    },
  );
  calls.forEach(({ i }, n) => {
    const more = found[n];
    const sum = sums[i];
    if (more === null) sums[i] = more;
    else if (more !== undefined && typeof sum === 'number') sums[i] = sum + more;
  });
  return sums;
}

/** Null: there are too many to look at. */
async function countFew(
  ctx: BrokerContext,
  place: Place,
  question: Search['question'],
): Promise<number | null> {
  const walk = openWalk(ctx, place, question, 'newest', null, true);
  while (!walk.done) {
    if (walk.of !== null && walk.of > BUCKET_ENTRIES) return null;
    await walk.next(walk.of === null ? 1 : BUCKET_ENTRIES, 0);
  }
  return walk.matched;
}

/** What is not in the others is in the one that could not be counted; null when there are several of those. */
function withRest(counts: readonly (number | null)[], total: number): number[] | null {
  const open = counts.filter((count) => count === null).length;
  if (open > 1) return null;
  const rest = total - counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  return counts.map((count) => count ?? Math.max(0, rest));
}

/** Where each bucket ends, in ms: the same as its query says. */
const BUCKET_ENDS = [300_000, 3_600_000, 86_400_000, 604_800_000, Number.POSITIVE_INFINITY];
function bucketed(entered: readonly number[], at: number): FacetValue[] {
  const counts = BUCKET_ENDS.map(() => 0);
  for (const time of entered) {
    const bucket = BUCKET_ENDS.findIndex((end) => at - time <= end);
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return AGE_BUCKETS.map(({ value }, i) => ({ value, count: counts[i] ?? 0 }));
}
