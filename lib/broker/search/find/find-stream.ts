/** Jobs of all states by idempotency key, correlation id or trace id. The last two have no index: it reads jobs, up to a budget. */

import type { AccessScope } from '@/lib/contract/access/grant-scopes';
import { JOB_STATES, type JobState } from '@/lib/contract/jobs/job-states';
import { referenceSchema } from '@/lib/contract/name-schemas';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import type { FindEvent, FindProgress } from '@/lib/contract/search/find-schemas';
import { printQuery } from '@/lib/contract/search/query';
import { FIND_BUDGET_DEFAULT, FOUND_JOBS_MAX } from '@/lib/contract/search/search-limits';
import { STATE_COLUMN } from '../../redis/redis-keys';
import { runPipelines } from '../../redis/run-pipelines';
import type { ShardRef } from '../../shards/shard-ref';
import type { ShardedContext } from '../../shards/sharded-context';
import { openSearch, type Search } from '../open-search';
import { openShardMerge, type ShardMerge } from '../scan/merge-shards';
import { readListedJobs } from '../search-page';

const FIELDS = ['key', 'correlation', 'trace'] as const;
const PROGRESS_EVERY_MS = 250;
/** Jobs of one state that it looks at before it turns to the next state. */
const STEP = 5_000;

export interface FindStreamOptions {
  within?: AccessScope | undefined;
  /** Jobs that it looks at, over all states. */
  budget?: number | undefined;
  signal?: AbortSignal | undefined;
}

interface StateSearch {
  readonly state: JobState;
  readonly search: Search;
  readonly merge: ShardMerge;
  /** Jobs in the state when the search began. */
  readonly size: number;
}

/** The states take turns, so that a large one does not keep the others waiting. @throws RedriveError VALIDATION */
export async function* findStream(
  ctx: ShardedContext,
  text: string,
  { within, budget = FIND_BUDGET_DEFAULT, signal }: FindStreamOptions = {},
): AsyncGenerator<FindEvent> {
  const reference = parseOrThrow(referenceSchema, text, 'q');
  const states = await Promise.all(JOB_STATES.map((state) => openState(ctx, state, reference, within)));
  let found = 0;
  let reportedAtMs = performance.now();
  const scanned = () => states.reduce((sum, { merge }) => sum + merge.scanned, 0);
  const isOver = () => signal?.aborted || found >= FOUND_JOBS_MAX || scanned() >= budget;
  while (!isOver() && states.some(({ merge }) => !merge.finished))
    for (const { state, merge } of states) {
      if (merge.finished || isOver()) continue;
      const step = Math.min(STEP, budget - scanned());
      const entries = await merge.next(FOUND_JOBS_MAX - found, step);
      if (signal?.aborted) return;
      const { jobs } = await readListedJobs(ctx, state, entries, within);
      found += jobs.length;
      if (jobs.length > 0) yield { jobs };
      if (performance.now() - reportedAtMs < PROGRESS_EVERY_MS) continue;
      reportedAtMs = performance.now();
      yield { progress: progressOf(states, found) };
    }
  if (signal?.aborted) return;
  const unfinished = states.filter(({ merge }) => !merge.finished).map(({ state }) => state);
  const unavailable = missingShards(states);
  const unasked = Math.max(...states.map(({ search }) => search.unsearched));
  const isLimited = states.some(({ search }) => search.cursorKey !== null);
  yield {
    end: {
      ...progressOf(states, found),
      stopped: unfinished.length === 0 ? null : found >= FOUND_JOBS_MAX ? 'limit' : 'budget',
      states: unfinished,
      ...(unasked > 0 && !isLimited ? { unasked } : {}),
      ...(unavailable.length > 0
        ? { unavailable: unavailable.map(({ queue, shard }) => ({ queue, shard })) }
        : {}),
    },
  };
}

async function openState(
  ctx: ShardedContext,
  state: JobState,
  reference: string,
  within: AccessScope | undefined,
): Promise<StateSearch> {
  const q = printQuery({
    kind: 'or',
    of: FIELDS.map((field) => ({ kind: 'name', field, value: reference, prefix: false })),
  });
  const search = await openSearch(ctx, { state, q, within });
  const merge = await openShardMerge(ctx, search.shards, search.query, search.order, null);
  const keys = search.shards.map(({ name }) => ctx.keys.column(name, STATE_COLUMN[state]));
  const sizes = await runPipelines(ctx, keys, (pipeline, key) => pipeline.zcard(key));
  const size = sizes.reduce<number>((sum, one) => sum + (typeof one === 'number' ? one : 0), 0);
  return { state, search, merge, size };
}

/** Where others' jobs are looked at, too, only matches count: the number of the others must not be shown. */
function progressOf(states: readonly StateSearch[], found: number): FindProgress {
  if (states.some(({ search }) => search.cursorKey !== null)) return { found, scanned: found, of: found };
  const scanned = states.reduce((sum, { merge }) => sum + merge.scanned, 0);
  const of = states.reduce((sum, { merge, size }) => sum + Math.max(size, merge.scanned), 0);
  return { found, scanned, of };
}

function missingShards(states: readonly StateSearch[]): ShardRef[] {
  const missing = states.flatMap(({ merge }) => merge.missing.map(({ shard }) => shard));
  return [...new Map(missing.map((shard) => [shard.name, shard])).values()];
}
