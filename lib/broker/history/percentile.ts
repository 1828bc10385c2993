import { BUCKETS_MS } from './row-codec';

/** The longest bucket has no end: an estimate in it is its start. */
const LAST_BOUND_MS = BUCKETS_MS.at(-2) ?? 0;

/** Estimated from a histogram by `BUCKETS_MS`, evenly spread inside of a bucket. Null: nothing was counted. */
export function percentileMs(histogram: readonly number[], share: number): number | null {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let before = 0;
  for (const [i, count] of histogram.entries()) {
    const rank = total * share - before;
    if (count > 0 && rank <= count) {
      const start = BUCKETS_MS[i - 1] ?? 0;
      const end = Math.min(BUCKETS_MS[i] ?? LAST_BOUND_MS, LAST_BOUND_MS);
      return start + (end - start) * Math.max(0, rank / count);
    }
    before += count;
  }
  return LAST_BOUND_MS;
}
