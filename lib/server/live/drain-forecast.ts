/** When a backlog is gone at the present rates. Pure. */
import type { DrainForecast, QueueSnapshot } from '@/lib/contract/queues/queue-schemas';

/** A smaller difference between what ends and what comes is noise: of n jobs by chance some √n more or fewer. */
const STEADY_SHARE = 0.03;
/** How many jobs a rate is measured by: see `flow` of recent_counts.lua. */
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

type Draining = Pick<QueueSnapshot, 'counts' | 'drain' | 'flow' | 'pauses'>;

/**
 * All backlogs as one: the same workers may serve them in turn. A queue that has just become empty counts, too: what its workers did goes
 * to the others a moment later. Null: nothing waits, or all of it is paused.
 */
export function forecastTotal(queues: readonly Draining[]): DrainForecast | null {
  let [ready, donePerSecond, arrivalPerSecond] = [0, 0, 0];
  for (const { counts, drain, flow, pauses } of queues) {
    if (pauses.some(({ scope }) => scope === 'queue')) continue;
    if (drain !== null) ready += counts.ready;
    donePerSecond += flow.donePerSecond;
    arrivalPerSecond += flow.arrivalPerSecond;
  }
  return ready === 0 ? null : forecastDrain({ ready, donePerSecond, arrivalPerSecond, workers: 0 });
}
