/** Percentiles of run times over the last five minutes, from the histograms that Redis keeps by minute. Pure. */
import { BUCKETS_MS, joinSpans, type MinuteRunTimes, percentileMs, type QueueReading } from '@/lib/broker';

const MINUTE_MS = 60_000;
const WINDOW_MINUTES = 5;

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

/** The share `q` of runs took at most this long; estimated. Null without runs. */
export function runTimeQuantile(
  known: readonly MinuteRunTimes[],
  { recent, at }: Pick<Reading, 'recent' | 'at'>,
  q: number,
): number | null {
  const now = Math.floor(at / MINUTE_MS);
  const left = 1 - (at % MINUTE_MS) / MINUTE_MS;
  const runs = BUCKETS_MS.map(() => 0);
  for (const { minute, counts } of known) {
    const share = minute === now - WINDOW_MINUTES ? left : 1;
    const completed = recent.find((one) => one.minute === minute)?.completed ?? 0;
    const counted = counts.reduce((sum, count) => sum + count, 0);
    // Runs of the first bucket are not counted: they are the rest of the completed jobs.
    for (const [i, count] of [Math.max(0, completed - counted), ...counts].entries())
      runs[i] = (runs[i] ?? 0) + count * share;
  }
  return percentileMs(runs, q, joinSpans(known.map(({ span }) => span)));
}
