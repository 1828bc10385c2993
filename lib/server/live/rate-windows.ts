/** Rates, run-time percentiles and time to drain of a queue, from its readings over time. Pure. */
import type { QueueReading } from '@/lib/broker';
import type { QueueSnapshot } from '@/lib/contract/queues/queue-schemas';

type Mark = Pick<QueueReading, 'at' | 'totals' | 'runTimes'> & {
  /** Which shards the sums leave out. */
  missing: string;
};

const FINE_MS = 20_000;
const COARSE_STEP_MS = 10_000;
export const KEPT_MS = 5 * 60_000;
const RATE_WINDOW_MS = 10_000;
const RATE_MIN_MS = 900;

/** The memory of one queue: every reading of the last 20 s, then one each 10 s back to 5 minutes. */
export class RateWindow {
  private marks: Mark[] = [];

  add(reading: QueueReading): void {
    const missing = reading.shards.unavailable.join();
    const mark = { at: reading.at, totals: reading.totals, runTimes: reading.runTimes, missing };
    const last = this.marks.at(-1);
    // The past is worthless after a clock that went back, counters that shrank (a dropped queue) or sums over other shards.
    if (
      last &&
      (mark.at < last.at || mark.totals.enqueued < last.totals.enqueued || mark.missing !== last.missing)
    )
      this.marks = [];
    this.marks.push(mark);
    let lastCoarse = Number.NEGATIVE_INFINITY;
    this.marks = this.marks.filter((kept) => {
      const age = mark.at - kept.at;
      if (age > KEPT_MS) return false;
      if (age <= FINE_MS) return true;
      if (kept.at - lastCoarse < COARSE_STEP_MS) return false;
      lastCoarse = kept.at;
      return true;
    });
  }

  /** The oldest mark at most `windowMs` old, or the newest one older than that. */
  since(windowMs: number): Mark | null {
    const last = this.marks.at(-1);
    if (!last) return null;
    return this.marks.findLast((mark) => last.at - mark.at >= windowMs) ?? this.marks[0] ?? null;
  }

  get latest(): Mark | null {
    return this.marks.at(-1) ?? null;
  }
}

type Rates = QueueSnapshot['rates'];

export function ratesOf(log: RateWindow, windowMs: number = RATE_WINDOW_MS): Rates {
  const now = log.latest;
  const then = log.since(windowMs);
  const span = now && then ? now.at - then.at : 0;
  if (!now || !then || span < RATE_MIN_MS)
    return {
      arrivalPerSecond: null,
      completedPerSecond: null,
      failedPerSecond: null,
      failureRatio: null,
      windowMs: span,
    };
  const completed = now.totals.completed - then.totals.completed;
  const failed = now.totals.failed + now.totals.reclaimed - then.totals.failed - then.totals.reclaimed;
  return {
    arrivalPerSecond: ((now.totals.enqueued - then.totals.enqueued) * 1_000) / span,
    completedPerSecond: (completed * 1_000) / span,
    failedPerSecond: (failed * 1_000) / span,
    failureRatio: completed + failed > 0 ? failed / (completed + failed) : null,
    windowMs: span,
  };
}

/** The share `q` of runs took at most this long, over the kept window; linear inside a bucket. Null without runs. */
export function runTimeQuantile(log: RateWindow, q: number): number | null {
  const now = log.latest;
  const then = log.since(KEPT_MS);
  if (!now) return null;
  const base = then && then !== now ? then.runTimes.buckets : new Map<string, number>();
  const buckets = [...now.runTimes.buckets].map(([le, count]) => ({
    le,
    count: count - (base.get(le) ?? 0),
  }));
  const total = buckets.reduce((sum, bucket) => sum + bucket.count, 0);
  if (total <= 0) return null;
  let below = 0;
  let lower = 0;
  for (const { le, count } of buckets) {
    // The last bucket has no upper bound: its lower one stands for it.
    const upper = le === 'inf' ? lower : Number(le);
    if (below + count >= total * q)
      return lower + ((upper - lower) * (total * q - below)) / Math.max(count, 1);
    below += count;
    lower = upper;
  }
  return lower;
}

/** How long until the ready jobs are gone at the present rates; null when they will not be. */
export function drainMs(ready: number, rates: Rates): number | null {
  const net = (rates.completedPerSecond ?? 0) - (rates.arrivalPerSecond ?? 0);
  return ready > 0 && net > 0 ? (ready / net) * 1_000 : null;
}

/** How many jobs died within the kept window. */
export function recentDeaths(log: RateWindow): number {
  const now = log.latest;
  const then = log.since(KEPT_MS);
  return now && then ? now.totals.dead - then.totals.dead : 0;
}
