/** Percentiles of run times over the last five minutes, from the histograms that Redis keeps by minute. Pure. */
import { COUNTED_RUN_TIMES_MS, type MinuteRunTimes, type QueueReading } from '@/lib/broker';

const MINUTE_MS = 60_000;
const WINDOW_MINUTES = 5;
/** Runs of at most this are not counted: they are the rest of the completed jobs. */
const REST_MS = 5;

type Reading = Pick<QueueReading, 'at' | 'totals' | 'recent' | 'recentRunTimes'>;

/** The minutes known before, and those of a new reading in their place. */
export function knownRunTimes(
  known: readonly MinuteRunTimes[],
  last: Pick<Reading, 'totals'> | null,
  reading: Reading,
): readonly MinuteRunTimes[] {
  const oldest = Math.floor(reading.at / MINUTE_MS) - WINDOW_MINUTES;
  // Another queue has this name since the last reading.
  if (last && last.totals.enqueued > reading.totals.enqueued) return reading.recentRunTimes;
  const renewed = new Set(reading.recentRunTimes.map(({ minute }) => minute));
  return [
    ...known.filter(({ minute }) => minute >= oldest && !renewed.has(minute)),
    ...reading.recentRunTimes,
  ];
}

/** The share `q` of runs took at most this long; linear inside a bucket. Null without runs. */
export function runTimeQuantile(
  known: readonly MinuteRunTimes[],
  { recent, at }: Pick<Reading, 'recent' | 'at'>,
  q: number,
): number | null {
  const now = Math.floor(at / MINUTE_MS);
  const left = 1 - (at % MINUTE_MS) / MINUTE_MS;
  const buckets = [REST_MS, ...COUNTED_RUN_TIMES_MS].map((upTo) => ({ upTo: Number(upTo), runs: 0 }));
  for (const { minute, counts } of known) {
    const share = minute === now - WINDOW_MINUTES ? left : 1;
    const completed = recent.find((one) => one.minute === minute)?.completed ?? 0;
    const counted = counts.reduce((sum, count) => sum + count, 0);
    for (const [i, runs] of [Math.max(0, completed - counted), ...counts].entries()) {
      const bucket = buckets[i];
      if (bucket) bucket.runs += runs * share;
    }
  }
  const wanted = buckets.reduce((sum, { runs }) => sum + runs, 0) * q;
  if (wanted <= 0) return null;
  let [below, lower] = [0, 0];
  for (const { upTo, runs } of buckets) {
    // The last bucket has no upper bound: its lower one stands for it.
    const upper = upTo === Infinity ? lower : upTo;
    if (runs > 0 && below + runs >= wanted) return lower + ((upper - lower) * (wanted - below)) / runs;
    below += runs;
    lower = upper;
  }
  return lower;
}
