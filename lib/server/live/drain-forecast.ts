/** When a backlog is gone at the present rates. Pure. */
import type { DrainForecast, QueueSnapshot } from '@/lib/contract/queues/queue-schemas';

/** A smaller difference between what ends and what comes is noise: of n jobs by chance some √n more or fewer. */
const STEADY_SHARE = 0.03;
/** How many jobs a rate is measured by: see `drain` of recent_counts.lua. */
const [MEASURED_MIN, MEASURED_SECONDS] = [40, 5];
const steadyShare = (perSecond: number): number =>
  Math.max(STEADY_SHARE, 1 / Math.sqrt(Math.max(MEASURED_MIN, perSecond * MEASURED_SECONDS)));

interface Backlog {
  readonly ready: number;
  readonly donePerSecond: number;
  readonly arrivalPerSecond: number;
  /** Workers that share the work; 0: unknown, or none. */
  readonly workers: number;
}

export function forecastDrain({ ready, donePerSecond, arrivalPerSecond, workers }: Backlog): DrainForecast {
  const growthPerSecond = arrivalPerSecond - donePerSecond;
  const busiest = Math.max(arrivalPerSecond, donePerSecond);
  const isSteady = Math.abs(growthPerSecond) <= steadyShare(busiest) * busiest;
  if (isSteady) return { trend: 'steady', ms: null, growthPerSecond, workersNeeded: null };
  if (growthPerSecond < 0)
    return {
      trend: 'shrinking',
      ms: Math.round((ready / -growthPerSecond) * 1_000),
      growthPerSecond,
      workersNeeded: null,
    };
  const perWorker = workers > 0 ? donePerSecond / workers : 0;
  const workersNeeded = perWorker > 0 ? Math.ceil(growthPerSecond / perWorker) : null;
  return { trend: 'growing', ms: null, growthPerSecond, workersNeeded };
}

type Draining = Pick<QueueSnapshot, 'counts' | 'drain' | 'rates'>;

/** All backlogs as one: the same workers may serve them in turn. Null: nothing waits, or all of it is paused. */
export function forecastTotal(queues: readonly Draining[]): DrainForecast | null {
  let [ready, donePerSecond, arrivalPerSecond, waiting] = [0, 0, 0, 0];
  for (const { counts, drain, rates } of queues) {
    if (drain === null) continue;
    waiting += 1;
    ready += counts.ready;
    // What ends is not in the forecast of a queue; its difference to what comes is what counts here.
    donePerSecond += rates.completedPerSecond;
    arrivalPerSecond += rates.completedPerSecond + drain.growthPerSecond;
  }
  return waiting === 0 ? null : forecastDrain({ ready, donePerSecond, arrivalPerSecond, workers: 0 });
}
