/** Jobs fixed one by one: the ticked ones, and those in flight, whose index moves under a walk with every heartbeat. */
import { RedriveError } from '@/lib/contract/errors';
import type { Scope } from '@/lib/contract/operations';
import { hasQueue, type Within } from '@/lib/contract/permissions';
import { narrowedTo } from '@/lib/contract/query';
import type { JobState } from '@/lib/contract/states';
import { type ListedJob, listedJobsSchema } from '@/lib/contract/verbs';
import { STATE_COLUMN } from '../keys';
import { list, text } from '../reply';
import { IDS_AT_ONCE, idsFilter } from '../search/by-ids';
import { reachedBy } from '../search/request';
import { scanPlace } from '../search/scan';
import { type Place, placesOf } from '../sharded/places';
import type { ShardedContext } from '../shards';

/** Several shards may hold a job of that id: then each of them is meant. */
const ASKED_AT_ONCE = 500;

/**
 * Where the ticked jobs are, and their stamps: what tells a job that was moved away and back from one that never left. One that is
 * not in the state, or that it may not touch, is listed without a stamp, so that the operation reports it: it is as if it were not
 * there. @throws when a shard does not answer
 */
export async function stampsOf(
  ctx: ShardedContext,
  { state, jobs = [], within }: Scope,
): Promise<ListedJob[]> {
  const queues = new Map<string, Set<string>>();
  for (const { queue, jobId } of jobs) queues.set(queue, (queues.get(queue) ?? new Set()).add(jobId));
  const listed: ListedJob[] = [];
  for (const [queue, ids] of queues) {
    const places = await placesOf(ctx, reachedBy(within, [queue]));
    const wanted = [...ids].slice(0, ASKED_AT_ONCE);
    const found = new Set<string>();
    for (const place of places)
      for (const job of await stampsIn(
        ctx,
        place,
        state,
        await idsWithin(ctx, place, state, wanted, within),
      )) {
        found.add(job.jobId);
        listed.push(job);
      }
    for (const jobId of wanted)
      if (!found.has(jobId)) listed.push({ place: queue, jobId, stamp: '', score: 0, class: null });
  }
  return listed;
}

/** Of some ids those of jobs it may touch. */
async function idsWithin(
  ctx: ShardedContext,
  place: Place,
  state: JobState,
  ids: readonly string[],
  within: Within | undefined,
): Promise<readonly string[]> {
  if (within === undefined || hasQueue(within, place.queue)) return ids;
  const found: string[] = [];
  for (let i = 0; i < ids.length; i += IDS_AT_ONCE) {
    const some = ids.slice(i, i + IDS_AT_ONCE);
    const { hits } = await scanPlace(ctx, place, {
      state,
      filter: narrowedTo(idsFilter(some), within),
      at: 0,
      cutoff: null,
      order: 'oldest',
      cursor: '',
      // Ids are looked up, so there is no more than these to look at.
      maxScan: Number.POSITIVE_INFINITY,
      maxHits: some.length,
    });
    found.push(...hits.map(({ jobId }) => jobId));
  }
  return found;
}

async function stampsIn(
  ctx: ShardedContext,
  place: Place,
  state: JobState,
  ids: readonly string[],
): Promise<ListedJob[]> {
  if (ids.length === 0) return [];
  const index = ctx.keys.column(place.name, STATE_COLUMN[state]);
  const scores = await textsOf(ctx, ['ZMSCORE', index, ...ids]);
  const there = ids.flatMap((jobId, i) => {
    const score = scores[i];
    return score === null || score === undefined ? [] : [{ jobId, score }];
  });
  if (there.length === 0) return [];
  const names = there.map(({ jobId }) => jobId);
  const claims =
    state === 'in-flight'
      ? await textsOf(ctx, ['HMGET', ctx.keys.column(place.name, 'claims'), ...names])
      : [];
  const deaths = await textsOf(ctx, ['HMGET', ctx.keys.column(place.name, 'deaths'), ...names]);
  return there.map(({ jobId, score }, i) => ({
    place: place.name,
    jobId,
    stamp: state === 'in-flight' ? (claims[i]?.split(' ')[0] ?? '') : score,
    score: Number(score),
    class: deaths[i]?.split(' ')[1] ?? null,
  }));
}

async function textsOf(ctx: ShardedContext, command: [string, ...string[]]): Promise<(string | null)[]> {
  const reply = await ctx.plain((redis) => redis.call(...command));
  return list(reply, command[0]).map((item) => (item === null ? null : text(item)));
}

export const listText = (jobs: readonly ListedJob[]): string => JSON.stringify(jobs);

/** @throws RedriveError OPERATION_STATE when the list is gone: then nothing more of it can be done */
export function parseList(text: string | null, id: string): ListedJob[] {
  try {
    const parsed = listedJobsSchema.safeParse(JSON.parse(text ?? ''));
    if (parsed.success) return parsed.data;
  } catch {
    // As unreadable as if it were not there.
  }
  throw new RedriveError(
    'OPERATION_STATE',
    `The list of the jobs of operation ${id} is gone from Redis. What it moved stays moved; start a new one for the rest.`,
  );
}
