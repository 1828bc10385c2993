/** Rates, recent deaths and time to drain of a queue, all from one reading of Redis. Pure. */
import { type QueueReading, slidingCount, slidingPerSecond } from '@/lib/broker';
import type { DrainForecast, QueueSnapshot } from '@/lib/contract/queues/queue-schemas';
import { forecastDrain } from './forecast/drain-forecast';

const RATE_WINDOW_MS = 60_000;
const LONGER_MINUTES = 5;

export function ratesOf({ recent, at }: Pick<QueueReading, 'recent' | 'at'>): QueueSnapshot['rates'] {
  const completedPerSecond = slidingPerSecond(recent, at, (one) => one.completed);
  const failedPerSecond = slidingPerSecond(recent, at, (one) => one.failed + one.reclaimed);
  const lostPerSecond = slidingPerSecond(recent, at, (one) => one.reclaimed);
  const endedPerSecond = completedPerSecond + failedPerSecond;
  return {
    arrivalPerSecond: slidingPerSecond(recent, at, (one) => one.enqueued),
    completedPerSecond,
    failedPerSecond,
    lostPerSecond,
    failureRatio: endedPerSecond > 0 ? failedPerSecond / endedPerSecond : null,
    windowMs: RATE_WINDOW_MS,
  };
}

export function lastFiveMinutesOf({ recent, at }: Pick<QueueReading, 'recent' | 'at'>) {
  const countOf = (of: Parameters<typeof slidingCount>[3]) =>
    Math.round(slidingCount(recent, at, LONGER_MINUTES, of));
  return {
    runs: countOf((one) => one.completed + one.failed + one.reclaimed),
    failed: countOf((one) => one.failed + one.reclaimed),
    died: countOf((one) => one.dead),
  };
}

/** Of the runs of the last minutes: with more of them lost, workers die, and more workers would, too. */
const LOST_SHARE = 0.05;
function losesWorkers({ recent, at }: Pick<QueueReading, 'recent' | 'at'>): boolean {
  const lost = slidingCount(recent, at, LONGER_MINUTES, (one) => one.reclaimed);
  const ended = slidingCount(recent, at, LONGER_MINUTES, (one) => one.completed + one.failed);
  return lost > (lost + ended) * LOST_SHARE;
}

/** @param workers live ones that listen to the queue */
export function drainOf(
  reading: Pick<
    QueueReading,
    'at' | 'recent' | 'flow' | 'counts' | 'oldestReadyAgeMs' | 'pauses' | 'throttledTenants'
  >,
  workers: number,
): DrainForecast | null {
  const { flow, counts, oldestReadyAgeMs, pauses, throttledTenants } = reading;
  if (counts.ready === 0 || workers === 0 || pauses.some(({ scope }) => scope === 'queue')) return null;
  // More workers would not help a tenant at its limit, nor where they die.
  const cannotHelp = throttledTenants > 0 || losesWorkers(reading);
  const forecast = forecastDrain({
    ready: counts.ready,
    oldestAgeMs: oldestReadyAgeMs ?? 0,
    ...flow,
    workers: cannotHelp ? 0 : workers,
  });
  // While a tenant or type is paused it is not known whether the rest grows.
  return pauses.length > 0 && forecast?.trend === 'steady' ? null : forecast;
}
