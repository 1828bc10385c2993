/** One search over several shards, in one order. It scans the shards furthest behind first, to read hardly more than a page needs. */
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { forEachLimited } from '@/lib/broker/shards/fan-out';
import { compareShardRefs, type ShardRef } from '@/lib/broker/shards/shard-ref';
import { shardsWithJobs } from '@/lib/broker/shards/shards-with-jobs';
import type { SearchPosition } from '@/lib/contract/jobs/list-options';
import { compileQuery, type JobQuery } from '../plan/compile-query';
import { openShardScan, type ShardScan } from './scan-shard';
import type { ScanHit, ScanMark, SearchOrder } from './scan-step';

/** Where in the order of the whole search. */
export interface MergePosition {
  readonly shard: Pick<ShardRef, 'queue' | 'shard'>;
  readonly mark: ScanMark;
}
export interface FoundJob extends ScanHit, MergePosition {
  readonly shard: ShardRef;
}
export interface ShardMerge {
  /** Every shard is scanned to its end, and every match was returned. */
  readonly finished: boolean;
  readonly scanned: number;
  /** Entries of all sources. */
  readonly sourceSize: number;
  readonly missing: readonly { shard: ShardRef; error: unknown }[];
  /** Rows are read, which costs more. */
  readonly readsRows: boolean;
  /** Every entry of the sources matches, so the first step of each shard also counts its matches. */
  readonly countsMatches: boolean;
  /** One round: scans a little further, and returns matches that nothing can precede, at most `limit`. */
  next(limit: number, budget: number): Promise<FoundJob[]>;
  /** Everything up to here was scanned and returned; null: not known, as at the beginning. */
  frontier(): MergePosition | null;
}

/** A search must not occupy Redis because there are many shards. */
const SHARDS_AT_ONCE = 4;
const STEP_MIN = 25;

interface ShardState {
  readonly scan: ShardScan;
  /** Found, and not yet returned. */
  readonly found: FoundJob[];
}

export async function openShardMerge(
  ctx: BrokerContext,
  all: readonly ShardRef[],
  query: JobQuery,
  order: SearchOrder,
  from: SearchPosition | null,
): Promise<ShardMerge> {
  const plans = all.map((shard) => ({ shard, plan: compileQuery(query, shard.queue) }));
  const shards = await shardsWithJobs(
    ctx,
    plans.filter(({ plan }) => !plan.isEmpty).map(({ shard }) => shard),
    query.state,
  );
  let states: ShardState[] = shards.map((shard) => ({
    scan: openShardScan(ctx, shard, query, order, startOfShard(shard, from, order), true),
    found: [],
  }));
  const missing: { shard: ShardRef; error: unknown }[] = [];
  const compare = comparePositions(order);
  /** Null, for a scan that has not begun, comes first. */
  const compareOrNull = (a: MergePosition | null, b: MergePosition | null) =>
    a && b ? compare(a, b) : a ? 1 : b ? -1 : 0;
  const edgeOf = ({ scan }: ShardState): MergePosition | null =>
    scan.mark && { shard: scan.shard, mark: scan.mark };
  /** Shards whose next match is not known. */
  const open = () => states.filter(({ scan, found }) => found.length === 0 && !scan.done);

  function takeSure(limit: number): FoundJob[] {
    const taken: FoundJob[] = [];
    const edges = open().map(edgeOf);
    while (taken.length < limit) {
      const [next] = smallest(
        states.filter(({ found }) => found.length > 0),
        1,
        (a, b) => compareOrNull(a.found[0] ?? null, b.found[0] ?? null),
      );
      const job = next?.found[0];
      if (!next || !job || !edges.every((edge) => edge && compare(job, edge) <= 0)) return taken;
      taken.push(job);
      next.found.shift();
      if (next.found.length === 0 && !next.scan.done) edges.push(edgeOf(next));
    }
    return taken;
  }

  return {
    readsRows: plans.some(({ plan }) => plan.readsRows),
    // The first round asks no more shards.
    countsMatches: states.length <= SHARDS_AT_ONCE && plans.every(({ plan }) => plan.program === null),
    missing,
    get finished() {
      return states.every(({ scan, found }) => scan.done && found.length === 0);
    },
    get scanned() {
      return states.reduce((sum, { scan }) => sum + scan.scanned, 0);
    },
    get sourceSize() {
      return states.reduce((sum, { scan }) => sum + (scan.sourceSize ?? 0), 0);
    },
    async next(limit, budget) {
      const behind = smallest(open(), SHARDS_AT_ONCE, (a, b) => compareOrNull(edgeOf(a), edgeOf(b)));
      const entries = Math.max(STEP_MIN, Math.floor(budget / Math.max(1, behind.length)));
      await forEachLimited(behind, SHARDS_AT_ONCE, async (state) => {
        const { scan, found } = state;
        try {
          for (const hit of await scan.next(entries, limit))
            found.push({ ...hit, shard: scan.shard, mark: { score: hit.raw, jobId: hit.jobId } });
        } catch (error) {
          missing.push({ shard: scan.shard, error });
          states = states.filter((other) => other !== state);
        }
      });
      if (states.length === 0 && missing[0]) throw missing[0].error;
      return takeSure(limit);
    },
    // Matches behind the frontier are found again. One before it that was not returned would be lost: then there is no frontier.
    frontier() {
      const edges = open();
      if (!edges.every(({ scan }) => scan.scanned > 0)) return null;
      const edge = edges.map(edgeOf).sort(compareOrNull)[0] ?? null;
      return edge && states.some(({ found: [next] }) => next && compare(next, edge) <= 0) ? null : edge;
    },
  };
}

/** By score; then by queue and shard; then by id, as each index is ordered. */
function comparePositions(order: SearchOrder): (a: MergePosition, b: MergePosition) => number {
  const sign = order === 'newest' ? -1 : 1;
  return (a, b) => {
    const byScore = Number(a.mark.score) - Number(b.mark.score);
    if (byScore !== 0) return sign * byScore;
    const byShard = compareShardRefs(a.shard, b.shard);
    if (byShard !== 0) return byShard;
    return a.mark.jobId === b.mark.jobId ? 0 : a.mark.jobId < b.mark.jobId ? -sign : sign;
  };
}

/** Where the scan of one shard begins behind a position of the whole search. */
function startOfShard(shard: ShardRef, from: SearchPosition | null, order: SearchOrder): ScanMark | null {
  if (from === null) return null;
  const { score, jobId } = from;
  const side = compareShardRefs(shard, from);
  if (side === 0) return { score, jobId };
  // A later shard still has to return jobs with that score; an earlier one has returned them.
  const isPast = side > 0 === (order === 'newest');
  return { score: isPast ? String(Number(score) + 1) : score, jobId: '' };
}

/** The first `count` in order. Called often with thousands of items: sorting all costs too much. */
function smallest<T>(items: readonly T[], count: number, compare: (a: T, b: T) => number): T[] {
  const sorted: T[] = [];
  for (const item of items) {
    const last = sorted.at(-1);
    if (sorted.length === count && last !== undefined && compare(item, last) >= 0) continue;
    const at = sorted.findIndex((other) => compare(item, other) < 0);
    sorted.splice(at < 0 ? sorted.length : at, 0, item);
    if (sorted.length > count) sorted.pop();
  }
  return sorted;
}
