/** Scans the jobs of one shard in one state, in order, for those that match: what searches and operations are made of. */

import { readRedaction } from '@/lib/broker/queues/settings/queue-redaction';
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import type { ShardRef } from '@/lib/broker/shards/shard-ref';
import { listPositionSchema } from '@/lib/contract/jobs/list-options';
import type { Redaction } from '@/lib/contract/redaction';
import { RedriveError } from '@/lib/contract/redrive-error';
import type { Filter } from '@/lib/contract/search/query';
import { compileQuery, type JobQuery, type SearchPlan } from '../plan/compile-query';
import type { IndexSource } from '../plan/index-sources';
import { runScanStep, type ScanHit, type ScanMark, type SearchOrder } from './scan-step';
import { smallestSource } from './smallest-source';

export interface ShardScanInput extends JobQuery {
  readonly order: SearchOrder;
  /** `<score>|<id>` of an earlier scan; empty: from the start. */
  readonly cursor: string;
  /** Limits: entries read, and matches found. */
  readonly maxScan: number;
  readonly maxHits: number;
  readonly signal?: AbortSignal;
}
export interface ShardScanResult {
  readonly hits: readonly ScanHit[];
  /** Everything up to here, in this order, was scanned. */
  readonly cursor: string;
  readonly done: boolean;
  readonly scanned: number;
}

/** @throws RedriveError BAD_CURSOR */
export async function scanShard(
  ctx: BrokerContext,
  shard: ShardRef,
  input: ShardScanInput,
): Promise<ShardScanResult> {
  const scan = openShardScan(ctx, shard, input, input.order, parseMark(input.cursor));
  const hits: ScanHit[] = [];
  while (
    !scan.done &&
    scan.scanned < input.maxScan &&
    hits.length < input.maxHits &&
    !input.signal?.aborted
  ) {
    const before = scan.scanned;
    const found = await scan.next(input.maxScan - before, input.maxHits - hits.length);
    for (const hit of found) hits.push({ ...hit, looked: before + hit.looked });
  }
  return { hits, cursor: markText(scan.mark), done: scan.done, scanned: scan.scanned };
}

export interface ShardScan {
  readonly shard: ShardRef;
  readonly done: boolean;
  readonly mark: ScanMark | null;
  readonly scanned: number;
  readonly matched: number;
  /** Entries its source holds; null before the first step. */
  readonly sourceSize: number | null;
  /** Scans the next entries, at most `most`, until `want` match (0: only counts them). */
  next(most: number, want: number): Promise<readonly (ScanHit & { readonly raw: string })[]>;
}

/** A source of more entries is worth a look for a smaller one, if the first step, of a few entries, did not find enough. */
const LARGE = 5_000;
/** A match costs a script several times what a miss costs, so its matches are limited; when it only counts, its entries. */
const MATCHES_A_STEP = 250;

/** Entries a step scans at most to find `want`: as many where all match. */
function stepEntries({ program }: SearchPlan, want: number): number {
  if (want === 0) return MATCHES_A_STEP;
  return program === null ? want : Number.POSITIVE_INFINITY;
}

/** @param useAggregate choose a smaller source by the aggregate: it may be a second old, so not for what moves jobs */
export function openShardScan(
  ctx: BrokerContext,
  shard: ShardRef,
  query: JobQuery,
  order: SearchOrder,
  from: ScanMark | null,
  useAggregate = false,
): ShardScan {
  const needsRedaction = readsPayload(query.filter);
  /** Null: not read, as nothing is judged by payloads. */
  let redaction: Redaction | null = null;
  let plan = compileQuery(query, shard.queue);
  let source: IndexSource | null = null;
  let isSourceFinal = !useAggregate || plan.program === null;
  const state = {
    shard,
    done: plan.isEmpty,
    mark: from,
    scanned: 0,
    matched: 0,
    sourceSize: plan.isEmpty ? 0 : (null as number | null),
    async next(most: number, wanted: number) {
      const want = Math.min(wanted, MATCHES_A_STEP);
      if (needsRedaction && !plan.isEmpty) {
        const rules = await readRedaction(ctx, shard.queue, shard.name);
        if (rules !== redaction) plan = compileQuery(query, shard.queue, rules);
        redaction = rules;
      }
      if (source !== null && !isSourceFinal && (state.sourceSize ?? 0) > LARGE) {
        isSourceFinal = true;
        const smaller = await smallestSource(ctx, shard, query, state.sourceSize ?? 0);
        if (smaller) {
          source = smaller.source;
          state.sourceSize = smaller.size;
          state.done = smaller.source.length === 0;
          if (state.done) return [];
        }
      }
      const result = await runScanStep(ctx, shard, query, plan, {
        order,
        from: state.mark,
        most: Math.min(most, stepEntries(plan, want)),
        want,
        source,
        largeSource: isSourceFinal ? Number.MAX_SAFE_INTEGER : LARGE,
        redaction,
      });
      source = result.source;
      state.sourceSize ??= result.sourceSize;
      state.done = result.done;
      state.mark = result.mark;
      state.scanned += result.scanned;
      state.matched += result.matched;
      return result.hits;
    },
  };
  return state;
}

/** Whether any condition reads payloads: then the redaction rules are required. */
function readsPayload(filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.of.some(readsPayload);
    case 'not':
      return readsPayload(filter.of);
    default:
      return filter.kind === 'payload' || filter.kind === 'text';
  }
}

const markText = (mark: ScanMark | null) => (mark ? `${mark.score}|${mark.jobId}` : '');

function parseMark(cursor: string): ScanMark | null {
  if (cursor === '') return null;
  const [score, jobId] = cursor.split('|');
  const parsed = listPositionSchema.safeParse({ score, jobId });
  if (parsed.success) return parsed.data;
  throw new RedriveError('BAD_CURSOR', 'The position is not one that a scan gave out.', {
    fields: [{ field: 'cursor', message: 'must be "<score>|<id>"' }],
  });
}
