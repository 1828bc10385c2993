/** Several queues with backlogs that share their workers by weight, until all are empty. When each is said to be gone, and when it is. */
import { forecastDrain, forecastTotal } from '@/lib/server/live/forecast/drain-forecast';
import { sharedForecasts } from '@/lib/server/live/forecast/shared-workers';
import { IDLE_WORKER } from '../records/idle-worker';
import { CALM_QUEUE } from '../worlds/queue-snapshot';
import type { Estimate } from './accuracy';
import { seededChance } from './seeded-chance';
import { SimulatedQueue } from './simulated-queue';

const STEP_MS = 50;
const SLOTS = 24;
const MOST_MS = 1_800_000;
/** The first seconds tell no rate. */
const FOLLOWS_MS = 20_000;

interface Fleet {
  readonly weights: readonly number[];
  readonly backlogs: readonly number[];
  readonly arrivals: readonly number[];
  /** Unequal ones are refused. */
  readonly runMs: readonly number[];
}

export interface FleetEstimates {
  /** By queue, the total last. */
  readonly ends: Estimate[][];
}

export function fleetRecovery(seed: number, fleet: Fleet): FleetEstimates {
  const chance = seededChance(seed);
  const queues = fleet.weights.map(() => new SimulatedQueue(chance));
  const ends: (number | null)[] = queues.map(() => null);
  const said: { at: number; ms: (number | null)[] }[] = [];
  // What was before the backlog: the rates of a calm queue.
  const BEFORE_MS = 120_000;
  for (let now = 0; now < MOST_MS && ends.includes(null); now += STEP_MS) {
    for (const [i, queue] of queues.entries()) {
      queue.enqueue(now, chance.poisson(((fleet.arrivals[i] ?? 0) * STEP_MS) / 1_000));
      if (now === BEFORE_MS) queue.enqueue(now, fleet.backlogs[i] ?? 0);
      queue.end(now);
    }
    claim(queues, fleet, now, chance.next);
    if (now < BEFORE_MS) continue;
    for (const [i, queue] of queues.entries()) if (queue.waiting.length === 0) ends[i] ??= now;
    if (now % 1_000 === 0) said.push({ at: now, ms: forecasts(queues, fleet, now) });
  }
  const last = Math.max(...ends.map((end) => end ?? MOST_MS));
  return {
    ends: [...ends, last].map((end, i) =>
      said.flatMap(({ at, ms }) => {
        const truth = (end ?? MOST_MS) - at;
        const follows = at - BEFORE_MS < FOLLOWS_MS || truth < 10_000;
        return truth > 0 ? [{ at, shown: ms[i] ?? null, truth, follows }] : [];
      }),
    ),
  };
}

function claim(queues: readonly SimulatedQueue[], fleet: Fleet, now: number, next: () => number): void {
  let free = SLOTS - queues.reduce((sum, { busySlots }) => sum + busySlots, 0);
  for (; free > 0; free--) {
    const waiting = [...queues.entries()].filter(([, queue]) => queue.waiting.length > 0);
    const weight = waiting.reduce((sum, [i]) => sum + (fleet.weights[i] ?? 1), 0);
    let drawn = next() * weight;
    const picked = waiting.find(([i]) => {
      drawn -= fleet.weights[i] ?? 1;
      return drawn <= 0;
    });
    if (!picked) return;
    picked[1].start(now, fleet.runMs[picked[0]] ?? 0);
  }
}

function forecasts(queues: readonly SimulatedQueue[], fleet: Fleet, now: number): (number | null)[] {
  const rows = queues.map((queue, i) => {
    const { ready, oldestAgeMs, flow } = queue.read(now);
    return {
      ...CALM_QUEUE,
      queue: `queue-${i}`,
      counts: { ...CALM_QUEUE.counts, ready },
      flow,
      runTimeP95Ms: (fleet.runMs[i] ?? 0) * 1.45,
      drain: ready === 0 ? null : forecastDrain({ ready, oldestAgeMs, workers: 1, ...flow }),
    };
  });
  const worker = { ...IDLE_WORKER, queues: Object.fromEntries(rows.map(({ queue }) => [queue, 1])) };
  const shared = sharedForecasts(rows, [worker]);
  const shown = rows.map((row) => ({ ...row, drain: shared.get(row.queue) ?? row.drain }));
  return [...shown.map(({ drain }) => drain?.ms ?? null), forecastTotal(shown)?.ms ?? null];
}
