/** When a backlog is gone at the present rates. Pure. */
import type { DrainForecast, QueueSnapshot } from '@/lib/contract/queues/queue-schemas';

/** A smaller difference between what ends and what comes is noise. */
const STEADY_SHARE = 0.03;
/** From so many times chance on it is known which way it goes, and from more on how fast. */
const TREND_KNOWN = 4;
const SIZE_KNOWN = 10;
/** A younger or smaller backlog is no growth: jobs of an idle queue wait a moment, too. */
const GROWING_MIN_JOBS = 20;
const GROWING_MIN_AGE_MS = 10_000;

interface Backlog {
  readonly ready: number;
  readonly oldestAgeMs: number;
  readonly donePerSecond: number;
  readonly arrivalPerSecond: number;
  /** By how much the difference of both may be off by chance (one standard deviation). */
  readonly chancePerSecond: number;
  /** Workers that share the work; 0: unknown. */
  readonly workers: number;
}

/** Null: there is too little to tell. */
export function forecastDrain(backlog: Backlog): DrainForecast | null {
  const { ready, donePerSecond, arrivalPerSecond, chancePerSecond } = backlog;
  const growthPerSecond = arrivalPerSecond - donePerSecond;
  const busiest = Math.max(arrivalPerSecond, donePerSecond);
  if (Math.abs(growthPerSecond) <= Math.max(STEADY_SHARE * busiest, chancePerSecond))
    return { trend: 'steady', ms: null, growthPerSecond, workersNeeded: null };
  if (Math.abs(growthPerSecond) < TREND_KNOWN * chancePerSecond) return null;
  const isGrowing = growthPerSecond > 0;
  if (isGrowing && !hasGrown(backlog, growthPerSecond)) return null;
  if (!isSizeKnown(growthPerSecond, chancePerSecond))
    return {
      trend: isGrowing ? 'growing' : 'shrinking',
      ms: null,
      growthPerSecond: null,
      workersNeeded: null,
    };
  if (isGrowing) return growing(backlog, growthPerSecond);
  return {
    trend: 'shrinking',
    ms: Math.round((ready / -growthPerSecond) * 1_000),
    growthPerSecond,
    workersNeeded: null,
  };
}

/** What has grown so fast for so long holds at least half of it. */
const hasGrown = ({ ready, oldestAgeMs }: Backlog, growthPerSecond: number): boolean =>
  oldestAgeMs >= GROWING_MIN_AGE_MS &&
  ready >= Math.max(GROWING_MIN_JOBS, (growthPerSecond * Math.min(oldestAgeMs, 60_000)) / 2_000);

function growing({ donePerSecond, workers }: Backlog, growthPerSecond: number): DrainForecast {
  const perWorker = workers > 0 ? donePerSecond / workers : 0;
  const workersNeeded = perWorker > 0 ? Math.ceil(growthPerSecond / perWorker) : null;
  return { trend: 'growing', ms: null, growthPerSecond, workersNeeded };
}

/** Of a difference between two rates: whether its size stands, too, and not only its sign. */
export const isSizeKnown = (perSecond: number, chancePerSecond: number): boolean =>
  Math.abs(perSecond) >= SIZE_KNOWN * chancePerSecond;

type Draining = Pick<QueueSnapshot, 'counts' | 'drain' | 'pauses' | 'workers'>;
/** The backlogs that hold this share of the ready jobs are looked at: of 200 queues a few jobs always wait somewhere. */
const MOST = 0.95;

/**
 * All backlogs together: gone when the last of them is. Paused queues and queues without workers are left out: their jobs do not run.
 * Null: nothing waits, or of some backlog it is not known.
 */
export function forecastTotal(queues: readonly Draining[]): DrainForecast | null {
  const run = queues.filter(
    ({ counts, pauses, workers }) =>
      counts.ready > 0 && workers > 0 && !pauses.some(({ scope }) => scope === 'queue'),
  );
  const drains = largest(run).map(({ drain }) => drain);
  if (drains.length === 0 || !drains.every((drain) => drain !== null)) return null;
  const growthPerSecond = sumOrNull(drains.map((drain) => drain.growthPerSecond));
  const common = { growthPerSecond, workersNeeded: null };
  if (drains.every(({ ms }) => ms !== null))
    return { ...common, trend: 'shrinking', ms: Math.max(...drains.map(({ ms }) => ms ?? 0)) };
  const trends = new Set(drains.map(({ trend }) => trend));
  if (trends.has('growing'))
    return trends.has('shrinking') ? null : { ...common, trend: 'growing', ms: null };
  return trends.has('shrinking') ? null : { ...common, trend: 'steady', ms: null };
}

function largest(queues: readonly Draining[]): readonly Draining[] {
  const ordered = queues.toSorted((a, b) => b.counts.ready - a.counts.ready);
  const all = ordered.reduce((sum, { counts }) => sum + counts.ready, 0);
  let before = 0;
  return ordered.filter(({ counts }) => {
    const isLooked = before < all * MOST;
    before += counts.ready;
    return isLooked;
  });
}

const sumOrNull = (values: readonly (number | null)[]): number | null =>
  values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0 as number | null);
