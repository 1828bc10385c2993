/**
 * The jobs of an operation that were completed, newest first: their queue remembers the latest 10,000 that any operation had put back,
 * whether or not their rows are still kept.
 */
import { RedriveError } from '@/lib/contract/errors';
import type { JobSummary } from '@/lib/contract/job';
import { hasJob, type Within } from '@/lib/contract/permissions';
import { summaries } from '../inspect/summaries';
import type { Place } from '../sharded/places';
import type { ShardedContext } from '../shards';

/** Entries read of a place in one call, and for one page. */
const READ_AT_ONCE = 500;
const READ_MAX = 10_000;

interface Entry {
  readonly place: Place;
  readonly jobId: string;
  readonly at: number;
}

/** Place after place; the cursor is `<number of the place>~<completed at>~<id>` of the last one shown. */
export async function completedJobs(
  ctx: ShardedContext,
  places: readonly Place[],
  id: string,
  cursor: string | undefined,
  limit: number,
  within?: Within,
): Promise<{ jobs: JobSummary[]; nextCursor: string | null }> {
  const from = cursor === undefined ? null : readCursor(cursor);
  const jobs: JobSummary[] = [];
  for (let at = from?.place ?? 0; at < places.length; at++) {
    const place = places[at];
    if (!place) break;
    const behind = from?.place === at ? from : null;
    const found = await completedIn(ctx, place, id, behind, limit - jobs.length);
    jobs.push(...(await shownOf(ctx, place, within, found)));
    const last = found.at(-1);
    if (jobs.length >= limit && last) return { jobs, nextCursor: `${at}~${last.at}~${last.jobId}` };
  }
  return { jobs, nextCursor: null };
}

async function completedIn(
  ctx: ShardedContext,
  place: Place,
  id: string,
  behind: { at: number; jobId: string } | null,
  limit: number,
): Promise<Entry[]> {
  const key = ctx.keys.column(place.name, 'outcomes');
  const prefix = `${id}|`;
  // Keyset paging over (score, member): what was shown is not shown again when newer ones come.
  const start = behind ? String(behind.at) : '+inf';
  const found: Entry[] = [];
  for (let read = 0; read < READ_MAX && found.length < limit; read += READ_AT_ONCE) {
    const reply = await ctx.plain((redis) =>
      redis.zrevrangebyscore(key, start, '-inf', 'WITHSCORES', 'LIMIT', read, READ_AT_ONCE),
    );
    for (let i = 0; i + 1 < reply.length; i += 2) {
      const [member = '', score = '0'] = [reply[i], reply[i + 1]];
      if (!member.startsWith(prefix)) continue;
      const entry = { place, jobId: member.slice(prefix.length), at: Number(score) };
      const seen =
        behind && (entry.at > behind.at || (entry.at === behind.at && entry.jobId >= behind.jobId));
      if (!seen && found.length < limit) found.push(entry);
    }
    if (reply.length < 2 * READ_AT_ONCE) break;
  }
  return found;
}

/** Of those whose rows are gone, or are of a later job by that id that is not within, only the id and the time are known. */
async function shownOf(
  ctx: ShardedContext,
  place: Place,
  within: Within | undefined,
  entries: readonly Entry[],
): Promise<JobSummary[]> {
  const rows = await summaries(
    ctx,
    place.name,
    'completed',
    entries.map(({ jobId, at }) => ({ jobId, score: at })),
  );
  const mine = within ? rows.filter(({ tenantId }) => hasJob(within, place.queue, tenantId)) : rows;
  const known = new Map(mine.map((row) => [row.jobId, row]));
  return entries.map(
    ({ jobId, at }) => known.get(jobId) ?? { ...GONE, queue: place.queue, jobId, stateAt: at },
  );
}

const GONE = {
  state: 'completed',
  jobType: 'unknown',
  jobVersion: 0,
  tenantId: 'unknown',
  priority: 0,
  createdAt: 0,
  deadline: null,
  attempt: 0,
  maxAttempts: 0,
  deliveries: 0,
  worker: null,
  claimedAt: null,
  errorClass: null,
  errorCode: null,
  message: null,
} as const;

function readCursor(cursor: string): { place: number; at: number; jobId: string } {
  const [, place, at, jobId] = /^(\d{1,5})~(\d{1,15})~([\w.-]{1,100})$/.exec(cursor) ?? [];
  if (place !== undefined && at !== undefined && jobId !== undefined)
    return { place: Number(place), at: Number(at), jobId };
  throw new RedriveError(
    'BAD_CURSOR',
    'The cursor is not one that was given out. Leave it out to start anew.',
    {
      fields: [{ field: 'cursor', message: 'was not given out here' }],
    },
  );
}
