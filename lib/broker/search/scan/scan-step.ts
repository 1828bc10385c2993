/** One call of search.lua, and its parsed reply. */
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { STATE_COLUMN } from '@/lib/broker/redis/redis-keys';
import { replyList, replyText } from '@/lib/broker/redis/script-reply';
import type { ShardRef } from '@/lib/broker/shards/shard-ref';
import type { Redaction } from '@/lib/contract/redaction';
import { createMatcher } from '@/lib/contract/search/query';
import { isDeathState } from '../plan/columns-to-read';
import type { JobQuery, SearchPlan } from '../plan/compile-query';
import type { IndexSource } from '../plan/index-sources';
import { programArgs } from '../plan/match-program';
import { jobFactsOf, readStoredJobs } from './job-facts';

export type SearchOrder = 'newest' | 'oldest';
/** How far a scan is: everything up to here, in its order, was scanned. */
export interface ScanMark {
  /** As Redis writes it. */
  readonly score: string;
  readonly jobId: string;
}

export interface ScanHit {
  readonly jobId: string;
  /** Fences a later move: the claim token of a job in flight, else the index's score as Redis writes it. */
  readonly stamp: string;
  readonly score: number;
  readonly class: string | null;
  /** Its row in `deaths`, where it has one. */
  readonly death: string | null;
  /** Entries scanned up to this one, itself among them. */
  readonly looked: number;
}
interface Found extends ScanHit {
  /** As Redis writes it. */
  readonly raw: string;
}
export interface ScanStepResult {
  readonly hits: readonly Found[];
  /** All matches, whether they were wanted as hits or only counted. */
  readonly matched: number;
  readonly mark: ScanMark | null;
  readonly done: boolean;
  readonly scanned: number;
  readonly source: IndexSource;
  /** Entries of the source; null: not asked for. */
  readonly sourceSize: number | null;
}

export interface ScanStepInput {
  readonly order: SearchOrder;
  readonly from: ScanMark | null;
  readonly most: number;
  /** 0: only count. */
  readonly want: number;
  /** Null: choose the smallest, and report its size. */
  readonly source: IndexSource | null;
  /** Of a source with more entries, if it is chosen, only few are scanned for each match that is wanted. */
  readonly largeSource: number;
  /** Null: nothing is judged by payloads. */
  readonly redaction: Redaction | null;
}

export async function runScanStep(
  ctx: BrokerContext,
  shard: ShardRef,
  query: JobQuery,
  plan: SearchPlan,
  input: ScanStepInput,
): Promise<ScanStepResult> {
  const { state } = query;
  const { want } = input;
  const reads = readsFor(plan, query, want > 0);
  const reply = replyList(
    await ctx.run(
      'search',
      shard.name,
      [
        state,
        input.order,
        plan.low,
        plan.high,
        input.from?.score ?? '',
        input.from?.jobId ?? '',
        Math.max(1, Math.min(input.most, plan.entriesPerStep)),
        plan.bytesPerStep,
        want,
        (input.source ? [input.source] : plan.sources).map((parts) => parts.join(' ')).join(','),
        plan.program === null ? 0 : 1,
        reads,
        input.source ? '' : input.largeSource,
        plan.needle?.needle ?? '',
        plan.needle?.how ?? '',
        plan.needsRows ? 1 : 0,
        plan.deathWords.join('\n'),
        plan.judgedPerStep,
        ...(plan.program === null ? [] : programArgs(plan.program)),
      ],
      { index: STATE_COLUMN[state] },
    ),
    'search',
  );
  const [score, jobId] = [replyText(reply[0]), replyText(reply[1])];
  const found: (Found & { sure: boolean })[] = [];
  for (let i = 7; i + 5 < reply.length; i += 6) found.push(foundIn(reply.slice(i, i + 6), state));
  const sure = await decided(ctx, shard, query, found, input.redaction);
  const unsure = new Set(found.filter((hit) => !hit.sure).map((hit) => hit.jobId));
  const doubtful = sure.filter((hit) => unsure.has(hit.jobId)).length;
  return {
    hits: want > 0 ? sure : [],
    matched: Number(reply[4]) + doubtful,
    mark: jobId === '' ? input.from : { score, jobId },
    done: reply[2] === 1,
    scanned: Number(reply[3]),
    source: replyList(reply[5], 'search').map(replyText),
    sourceSize: reply[6] === -1 ? null : Number(reply[6]),
  };
}

/** What the program needs, and what a hit reports. */
function readsFor({ columns: reads, program }: SearchPlan, { state }: JobQuery, hits: boolean): string {
  const wanted = isDeathState(state) ? 'k' : state === 'in-flight' ? 'c' : '';
  return hits && wanted !== '' && !reads.includes(wanted)
    ? reads + wanted
    : program === null && !hits
      ? ''
      : reads;
}

function foundIn(part: readonly unknown[], state: JobQuery['state']): Found & { sure: boolean } {
  const [jobId = '', raw = '', token = '', known = ''] = part.slice(0, 4).map(replyText);
  const death = isDeathState(state) ? known : null;
  return {
    jobId,
    raw,
    stamp: state === 'in-flight' ? token : raw,
    score: Number(raw),
    class: (death === null ? known : death.split(' ')[1]) || null,
    death,
    looked: Number(part[5]),
    sure: part[4] === 1,
  };
}

/** Judges here what search.lua could not, and leaves out what does not match. */
async function decided(
  ctx: BrokerContext,
  shard: ShardRef,
  { state, filter, at }: JobQuery,
  found: readonly (Found & { sure: boolean })[],
  redaction: Redaction | null,
): Promise<Found[]> {
  const open = found.filter((hit) => !hit.sure);
  if (open.length === 0) return [...found];
  const stored = await readStoredJobs(
    ctx,
    shard.name,
    open.map((hit) => hit.jobId),
    state === 'completed' ? operationsIn(filter) : [],
  );
  const matcher = createMatcher(filter, at);
  const fits = new Set(
    open
      .filter((hit, i) => {
        const job = stored[i];
        return job !== undefined && matcher(jobFactsOf(shard.queue, state, hit, job, redaction)) === true;
      })
      .map((hit) => hit.jobId),
  );
  return found.filter((hit) => hit.sure || fits.has(hit.jobId));
}

function operationsIn(filter: JobQuery['filter']): string[] {
  if (filter.kind === 'and' || filter.kind === 'or') return filter.of.flatMap(operationsIn);
  if (filter.kind === 'not') return operationsIn(filter.of);
  return filter.kind === 'name' && filter.field === 'operation' && !filter.prefix ? [filter.value] : [];
}
