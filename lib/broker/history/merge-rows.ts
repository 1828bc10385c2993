/** Rows of several shards, merged into the steps of a chart; pure. */
import { COUNTS, DEPTHS } from '@/lib/contract/history/history-ranges';
import { joinSpans } from '../queues/percentile';
import type { TimedRow } from './minute-blocks';
import { emptyRow, type HistoryRow } from './row-codec';

const MINUTE_MS = 60_000;

export interface Steps {
  /** Minutes since 1970: the first of the first step, and the first after the last step. */
  readonly from: number;
  readonly to: number;
  /** Minutes in a step. */
  readonly step: number;
}
/** Of one shard, oldest first. */
export interface RowSource {
  readonly rows: readonly TimedRow[];
  /** True: a minute without a row was like the one before. False: it is not known. */
  readonly skipsQuiet: boolean;
}

/** A row a step; null: a gap. Rows before `from` only tell how the first step began. */
export function mergeRows(sources: readonly RowSource[], steps: Steps): (HistoryRow | null)[] {
  const parts = sources.map((source) => stepsOf(source, steps));
  return Array.from({ length: Math.ceil((steps.to - steps.from) / steps.step) }, (_, i) =>
    sumRows(parts.flatMap((part) => part[i] ?? [])),
  );
}

function stepsOf({ rows, skipsQuiet }: RowSource, { from, to, step }: Steps): (HistoryRow | null)[] {
  const result: (HistoryRow | null)[] = [];
  let at = 0;
  let last: TimedRow | null = null;
  for (; (rows[at]?.minute ?? to) < from; at++) last = rows[at] ?? null;
  for (let start = from; start < to; start += step) {
    const inStep: TimedRow[] = [];
    for (; (rows[at]?.minute ?? to) < start + step; at++) {
      const row = rows[at];
      if (row) inStep.push(row);
    }
    last = inStep.at(-1) ?? last;
    if (inStep.length === 0 && (!skipsQuiet || last === null)) {
      result.push(null);
      continue;
    }
    const sum = sumRows(inStep) ?? emptyRow();
    const quietMs = last ? (start + step - 1 - last.minute) * MINUTE_MS : 0;
    result.push({
      ...sum,
      depths: last?.depths ?? null,
      oldestAgeMs: Math.max(skipsQuiet ? agedBy(last, quietMs) : 0, ...inStep.map((row) => row.oldestAgeMs)),
      workers: last?.workers ?? null,
    });
  }
  return result;
}

/** Nothing was claimed since, so the same job is still the oldest. */
export const agedBy = (row: HistoryRow | null, ms: number): number =>
  row?.depths && row.depths.ready > 0 ? row.oldestAgeMs + ms : 0;

/** Depths are unknown when they are for any of them. Null: no rows. */
export function sumRows(rows: readonly HistoryRow[]): HistoryRow | null {
  const [first] = rows;
  if (!first) return null;
  const sum = emptyRow({ ready: 0, inFlight: 0, scheduled: 0, retry: 0, held: 0, dead: 0 });
  for (const row of rows) {
    const { depths } = sum;
    if (row.depths && depths) for (const name of DEPTHS) depths[name] += row.depths[name];
    else sum.depths = null;
    sum.oldestAgeMs = Math.max(sum.oldestAgeMs, row.oldestAgeMs);
    for (const name of COUNTS) sum.counts[name] += row.counts[name];
    sum.run = sum.run.map((count, i) => count + (row.run[i] ?? 0));
    sum.runSpan = joinSpans([sum.runSpan, row.runSpan]);
    sum.workers = row.workers ?? sum.workers;
    sum.wait = sum.wait.map((count, i) => count + (row.wait[i] ?? 0));
  }
  return sum;
}
