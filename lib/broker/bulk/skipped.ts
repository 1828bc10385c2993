/**
 * The jobs an operation left alone, and why: each place names the first hundred of them (lua/include/progress.lua), in the script that
 * passed them over. Of the others only the counts by reason are known.
 */
import { RedriveError } from '@/lib/contract/errors';
import type { JobSummary } from '@/lib/contract/job';
import { type OperationJobsPage, SKIP_REASONS, type SkipReason } from '@/lib/contract/operations';
import { hasJob, type Within } from '@/lib/contract/permissions';
import type { JobState } from '@/lib/contract/states';
import type { BrokerContext } from '../context';
import { summaries } from '../inspect/summaries';
import { STATE_COLUMN } from '../keys';
import type { Place } from '../sharded/places';
import { skippedField } from './progress';

/** Named in a place; see NAMED_MAX in lua/include/progress.lua. */
export const NAMED_MAX = 100;
/** Places read for one page; behind them it goes on with the next. */
const PLACES_MAX = 200;

interface Named {
  readonly jobId: string;
  readonly reason: SkipReason;
}

/** Place after place; the cursor is `<number of the place>~<how many of it were shown>`. */
export async function skippedJobs(
  ctx: BrokerContext,
  places: readonly Place[],
  id: string,
  cursor: string | undefined,
  limit: number,
  within?: Within,
): Promise<Required<Pick<OperationJobsPage, 'jobs' | 'nextCursor' | 'skips'>>> {
  const from = readCursor(cursor ?? '0~0');
  const jobs: JobSummary[] = [];
  const skips: Required<OperationJobsPage>['skips'] = [];
  let { shown } = from;
  for (let at = from.place; at < places.length; at++) {
    if (skips.length >= limit || at - from.place >= PLACES_MAX)
      return { jobs, skips, nextCursor: `${at}~${shown}` };
    const place = places[at];
    if (!place) break;
    const named = await namedIn(ctx, place, id);
    const part = named.slice(shown, shown + limit - skips.length);
    skips.push(...part.map(({ jobId, reason }) => ({ queue: place.queue, jobId, reason })));
    const there = await stillThere(ctx, place, part);
    // One that was ticked and is not within is not there.
    jobs.push(...there.filter((job) => !within || hasJob(within, job.queue, job.tenantId)));
    shown += part.length;
    if (shown < named.length) return { jobs, skips, nextCursor: `${at}~${shown}` };
    shown = 0;
  }
  return { jobs, skips, nextCursor: null };
}

async function namedIn(ctx: BrokerContext, { name }: Place, id: string): Promise<Named[]> {
  const row = await ctx.plain((redis) => redis.hget(ctx.keys.column(name, 'operations'), skippedField(id)));
  return parseNamed(row ?? '');
}

/** `<id>=<reason> …`; what is not of that form is passed over. */
export function parseNamed(row: string): Named[] {
  const named: Named[] = [];
  for (const part of row.split(' ').slice(0, NAMED_MAX)) {
    const end = part.lastIndexOf('=');
    const reason = SKIP_REASONS.find((known) => known === part.slice(end + 1));
    if (end > 0 && reason) named.push({ jobId: part.slice(0, end), reason });
  }
  return named;
}

/** As they are now, wherever they have gone since. Those that are in no state any more are left out. */
async function stillThere(
  ctx: BrokerContext,
  { name }: Place,
  named: readonly Named[],
): Promise<JobSummary[]> {
  if (named.length === 0) return [];
  const ids = named.map(({ jobId }) => jobId);
  const states = Object.entries(STATE_COLUMN) as [JobState, (typeof STATE_COLUMN)[JobState]][];
  const scores = await ctx.plain((redis) =>
    Promise.all(states.map(([, column]) => redis.zmscore(ctx.keys.column(name, column), ...ids))),
  );
  const found = new Map<string, JobSummary>();
  for (const [i, [state]] of states.entries()) {
    const here = ids.flatMap((jobId, at) => {
      const score = scores[i]?.[at] ?? null;
      return score === null ? [] : [{ jobId, score: Number(score) }];
    });
    for (const job of await summaries(ctx, name, state, here)) found.set(job.jobId, job);
  }
  return ids.flatMap((jobId) => found.get(jobId) ?? []);
}

function readCursor(cursor: string): { place: number; shown: number } {
  const [, place, shown] = /^(\d{1,5})~(\d{1,5})$/.exec(cursor) ?? [];
  if (place !== undefined && shown !== undefined) return { place: Number(place), shown: Number(shown) };
  throw new RedriveError(
    'BAD_CURSOR',
    'The cursor is not one that was given out. Leave it out to start anew.',
    { fields: [{ field: 'cursor', message: 'was not given out here' }] },
  );
}
