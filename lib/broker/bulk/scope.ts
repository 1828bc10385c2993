/** What an operation is about: the places its scope can be in, and, for what moves under a walk, each job of it. */
import { RedriveError } from '@/lib/contract/errors';
import type { Scope } from '@/lib/contract/operations';
import { narrowedTo, parseQueryOrThrow } from '@/lib/contract/query';
import type { Filter } from '@/lib/contract/query/filter';
import type { ListedJob } from '@/lib/contract/verbs';
import { queueNames } from '../inspect/registry';
import { compile, type Question } from '../search/compile';
import { allHoldingPlaces } from '../search/holding';
import { reachedBy } from '../search/request';
import { scanPlace } from '../search/scan';
import { inLanes } from '../sharded/fan-out';
import { type Place, placesOf } from '../sharded/places';
import type { ShardedContext } from '../shards';

/** Entries a count may look at where no index knows: what it then says is at least so many. */
export const COUNT_BUDGET = 100_000;
/** Jobs in flight are fixed one by one, with their claims. */
export const IN_FLIGHT_MAX = 5_000;
const PLACES_AT_ONCE = 8;
const LOOK_ENTRIES = 2_000;

/** What it asks for, of what it may touch. @throws RedriveError BAD_QUERY */
export const filterOf = ({ q, within }: Pick<Scope, 'q' | 'within'>): Filter =>
  narrowedTo(parseQueryOrThrow(q ?? ''), within);

/** Of the jobs that were ticked, the queues in which it may touch some. */
export const tickedQueues = ({ jobs = [], within }: Scope): readonly string[] =>
  reachedBy(within, [...new Set(jobs.map(({ queue }) => queue))]);

/**
 * Where something may match: without the queues that are out of reach or that the query itself rules out, and of all queues without the
 * shards that hold nothing. @throws RedriveError VALIDATION when too many are left
 */
export async function scopePlaces(ctx: ShardedContext, scope: Scope, filter: Filter): Promise<Place[]> {
  const { queue: only, within } = scope;
  const queues = reachedBy(within, only === undefined ? await queueNames(ctx) : [only]);
  const places = await placesOf(ctx, queues);
  const question = { state: scope.state, filter, at: 0, cutoff: null };
  const ruledOut = new Map(queues.map((queue) => [queue, compile(question, queue).nothing]));
  const open = places.filter(({ queue }) => ruledOut.get(queue) !== true);
  return only === undefined ? [...(await allHoldingPlaces(ctx, open, scope.state))] : open;
}

/** Without those where nothing matches, as far as that is quickly seen: what is to be walked need not be all there is. */
export async function placesWithMatches(
  ctx: ShardedContext,
  places: readonly Place[],
  question: Question,
): Promise<Place[]> {
  const empty = new Set<string>();
  await inLanes(places, PLACES_AT_ONCE, async (place) => {
    // One that does not answer is walked when it is back.
    const found = await scanPlace(ctx, place, {
      ...question,
      order: 'oldest',
      cursor: '',
      maxScan: LOOK_ENTRIES,
      maxHits: 1,
    }).catch(() => null);
    if (found?.done && found.hits.length === 0) empty.add(place.name);
  });
  return places.filter(({ name }) => !empty.has(name));
}

/** @throws RedriveError VALIDATION when there are too many to fix each */
export async function freezeInFlight(
  ctx: ShardedContext,
  places: readonly Place[],
  question: Omit<Question, 'state'>,
): Promise<ListedJob[]> {
  const listed: ListedJob[] = [];
  for (const place of places) {
    let [cursor, done] = ['', false];
    while (!done) {
      const found = await scanPlace(ctx, place, {
        ...question,
        state: 'in-flight',
        order: 'oldest',
        cursor,
        maxScan: LOOK_ENTRIES,
        maxHits: IN_FLIGHT_MAX + 1 - listed.length,
      });
      for (const { jobId, stamp, score, class: errorClass } of found.hits)
        listed.push({ place: place.name, jobId, stamp, score, class: errorClass });
      if (listed.length > IN_FLIGHT_MAX) throw tooMany();
      ({ cursor, done } = found);
    }
  }
  // A lease that was extended during the walk is met again, with the same claim.
  return [...new Map(listed.map((job) => [`${job.place} ${job.jobId}`, job])).values()];
}

export const tooMany = (): RedriveError =>
  new RedriveError(
    'VALIDATION',
    `More than ${IN_FLIGHT_MAX} running jobs match. Running jobs are cancelled one by one, and at most so many at once: narrow the query.`,
    { fields: [{ field: 'scope.q', message: `matches more than ${IN_FLIGHT_MAX} running jobs` }] },
  );
