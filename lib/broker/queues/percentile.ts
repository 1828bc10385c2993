/** What histograms of run and wait times tell. Pure. */

/** Upper bounds in ms of the buckets that scripts count by. */
export const RUN_TIME_BUCKETS_MS = [
  5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000,
] as const;
/** The last bucket has no upper bound. */
export const BUCKETS_MS = [...RUN_TIME_BUCKETS_MS, Number.POSITIVE_INFINITY];
/** An estimate in the last bucket is its start, unless a sample tells how far it reaches. */
const LAST_BOUND_MS = BUCKETS_MS.at(-2) ?? 0;

/** The shortest and the longest of some runs. */
export interface RunSpan {
  readonly leastMs: number;
  readonly mostMs: number;
}

/** Of all of them together; null without any. */
export function joinSpans(spans: readonly (RunSpan | null)[]): RunSpan | null {
  const known = spans.filter((span) => span !== null);
  if (known.length === 0) return null;
  return {
    leastMs: Math.min(...known.map(({ leastMs }) => leastMs)),
    mostMs: Math.max(...known.map(({ mostMs }) => mostMs)),
  };
}

/**
 * Estimated from a histogram by `BUCKETS_MS`, evenly spread inside of a bucket. Null: nothing was counted.
 * @param span without it the first and the last bucket count as filled from end to end, which doubles what ends early in a wide one
 */
export function percentileMs(
  histogram: readonly number[],
  share: number,
  span: RunSpan | null = null,
): number | null {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const first = histogram.findIndex((count) => count > 0);
  const last = histogram.findLastIndex((count) => count > 0);
  let before = 0;
  for (const [i, count] of histogram.entries()) {
    const rank = total * share - before;
    if (count > 0 && (rank <= count || i === last)) {
      const from = BUCKETS_MS[i - 1] ?? 0;
      const upTo = BUCKETS_MS[i] ?? Number.POSITIVE_INFINITY;
      const known = span && span.mostMs > from && i === last ? Math.min(upTo, span.mostMs) : upTo;
      const end = known === Number.POSITIVE_INFINITY ? LAST_BOUND_MS : known;
      const start = span && span.leastMs < end && i === first ? Math.max(from, span.leastMs) : from;
      return start + (end - start) * Math.min(1, Math.max(0, rank / count));
    }
    before += count;
  }
  return LAST_BOUND_MS;
}
