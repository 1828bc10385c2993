/** Everything that matches, job by job with its payload, in the order of the list: what an export writes. */
import type { JobSummary } from '@/lib/contract/job';
import type { Scope } from '@/lib/contract/operations';
import { hasJob } from '@/lib/contract/permissions';
import { type Filter, type JobFacts, narrowedTo, parseQueryOrThrow } from '@/lib/contract/query';
import type { Redaction } from '@/lib/contract/redaction';
import { queueNames } from '../inspect/registry';
import { summarise } from '../inspect/summaries';
import { redactionIn, type ShownPayload, shownPayload, shownTexts } from '../redaction';
import { grouped } from '../sharded/fan-out';
import { askPlaces, type Place, placesOf } from '../sharded/places';
import type { ShardedContext } from '../shards';
import { IDS_AT_ONCE, idsFilter } from './by-ids';
import type { Question } from './compile';
import { factsOf, type StoredJob, storedJobs } from './facts';
import { allHoldingPlaces } from './holding';
import { type Entry, openMerge } from './merge';
import { orderOf, reachedBy } from './request';

export interface Match {
  readonly summary: JobSummary;
  /** What a query sees of it. */
  readonly facts: JobFacts;
  /** Without what is hidden in its queue. */
  readonly payload: ShownPayload;
}
export interface MatchingOptions {
  /** What ages count back from. */
  at: number;
  /** Only what was in its state by then; null: all. */
  cutoff: number | null;
  limit: number;
  signal?: AbortSignal | undefined;
}

const BATCH = 100;
const STEP = 1_000;
const PLACES_AT_ONCE = 2;

/** @throws RedriveError BAD_QUERY, and when a place cannot be read: a part must not pass for the whole */
export async function* matching(
  ctx: ShardedContext,
  scope: Scope,
  { at, cutoff, limit, signal }: MatchingOptions,
): AsyncGenerator<Match> {
  let left = limit;
  for (const { filter, queues } of await partsOf(ctx, scope)) {
    const question: Question = { state: scope.state, filter, at, cutoff };
    const places = await allHoldingPlaces(ctx, await placesOf(ctx, queues), scope.state);
    const merge = await openMerge(ctx, places, question, orderOf(scope.state), null);
    while (left > 0 && !merge.finished && !signal?.aborted) {
      const entries = await merge.pump(Math.min(BATCH, left), STEP);
      if (merge.missing[0]) throw merge.missing[0].error;
      if (signal?.aborted) return;
      for (const match of await read(ctx, scope, entries)) {
        yield match;
        left -= 1;
      }
    }
  }
}

/** Ticked jobs are looked for by their ids, some at a time. */
async function partsOf(
  ctx: ShardedContext,
  scope: Scope,
): Promise<{ filter: Filter; queues: readonly string[] }[]> {
  const { within } = scope;
  const only = scope.queue === undefined ? null : scope.queue;
  if (!scope.jobs)
    return [
      {
        filter: narrowedTo(parseQueryOrThrow(scope.q ?? ''), within),
        queues: reachedBy(within, only === null ? await queueNames(ctx) : [only]),
      },
    ];
  return [...grouped(scope.jobs, (job) => job.queue)].flatMap(([queue, { items }]) =>
    (only !== null && only !== queue) || reachedBy(within, [queue]).length === 0
      ? []
      : Array.from({ length: Math.ceil(items.length / IDS_AT_ONCE) }, (_, i) => ({
          queues: [queue],
          filter: narrowedTo(
            idsFilter(items.slice(i * IDS_AT_ONCE, (i + 1) * IDS_AT_ONCE).map(({ jobId }) => jobId)),
            within,
          ),
        })),
  );
}

/** In their order; what vanished since it was found is left out. */
async function read(ctx: ShardedContext, scope: Scope, entries: readonly Entry[]): Promise<Match[]> {
  const stored = new Map<string, { job: StoredJob; hides: Redaction }>();
  const groups = grouped(entries, (entry) => entry.place.name);
  const places = [...groups.values()].flatMap(({ items: [first] }) => first?.place ?? []);
  const { missing } = await askPlaces(places, PLACES_AT_ONCE, async ({ name, queue }: Place) => {
    const hides = await redactionIn(ctx, queue, name);
    const ids = (groups.get(name)?.items ?? []).map((entry) => entry.jobId);
    const jobs = await storedJobs(ctx, name, ids);
    ids.forEach((id, i) => {
      const job = jobs[i];
      if (job) stored.set(`${name} ${id}`, { job, hides });
    });
  });
  if (missing[0]) throw missing[0].error;
  return entries.flatMap((entry) => {
    const found = stored.get(`${entry.place.name} ${entry.jobId}`);
    return (found && matchOf(scope, entry, found.job, found.hides)) ?? [];
  });
}

function matchOf(
  { state, within }: Scope,
  { place, jobId, score }: Entry,
  job: StoredJob,
  hides: Redaction,
): Match | null {
  const first = job.row.indexOf(10);
  const second = first === -1 ? -1 : job.row.indexOf(10, first + 1);
  const payload = second === -1 ? job.row : job.row.subarray(second + 1);
  const summary = summarise(
    place.queue,
    state,
    { jobId, score },
    {
      head: second === -1 ? '' : job.row.toString('utf8', 0, second),
      claim: job.claim,
      tries: job.tries,
      death: job.death,
      last: job.history.slice(job.history.lastIndexOf('\n') + 1),
      done: job.result,
    },
    shownTexts(job.row.length > 0 ? payload : null, hides),
  );
  // Its payload is given once: below, as what it is.
  const facts = factsOf(place.queue, state, { jobId, score }, job, hides, false);
  // Another job may have taken its id since it was found.
  if (within && !hasJob(within, place.queue, facts.tenant)) return null;
  return (
    summary && {
      summary,
      facts,
      payload: shownPayload(payload, hides),
    }
  );
}
