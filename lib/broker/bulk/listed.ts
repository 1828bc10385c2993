/** Jobs fixed one by one: the ticked ones, and those in flight, whose index moves under a walk with every heartbeat. */
import { RedriveError } from '@/lib/contract/errors';
import type { JobState } from '@/lib/contract/states';
import { type ListedJob, listedJobsSchema } from '@/lib/contract/verbs';
import { STATE_COLUMN } from '../keys';
import { list, text } from '../reply';
import { type Place, placesOf } from '../sharded/places';
import type { ShardedContext } from '../shards';

/** Several shards may hold a job of that id: then each of them is meant. */
const ASKED_AT_ONCE = 500;

/**
 * Where the ticked jobs are, and their stamps: what tells a job that was moved away and back from one that never left. One that is
 * not in the state is listed without a stamp, so that the operation reports it. @throws when a shard does not answer
 */
export async function stampsOf(
  ctx: ShardedContext,
  state: JobState,
  jobs: readonly { queue: string; jobId: string }[],
): Promise<ListedJob[]> {
  const queues = new Map<string, Set<string>>();
  for (const { queue, jobId } of jobs) queues.set(queue, (queues.get(queue) ?? new Set()).add(jobId));
  const listed: ListedJob[] = [];
  for (const [queue, ids] of queues) {
    const places = await placesOf(ctx, [queue]);
    const wanted = [...ids].slice(0, ASKED_AT_ONCE);
    const found = new Set<string>();
    for (const place of places)
      for (const job of await stampsIn(ctx, place, state, wanted)) {
        found.add(job.jobId);
        listed.push(job);
      }
    for (const jobId of wanted)
      if (!found.has(jobId)) listed.push({ place: queue, jobId, stamp: '', score: 0, class: null });
  }
  return listed;
}

async function stampsIn(
  ctx: ShardedContext,
  place: Place,
  state: JobState,
  ids: readonly string[],
): Promise<ListedJob[]> {
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
