/** An hour of a queue: bursts, ramps, crashes, pauses and times in which it is empty. What is forecast, and what is true. */
import type { DrainForecast } from '@/lib/contract/queues/queue-schemas';
import { forecastDrain } from '@/lib/server/live/forecast/drain-forecast';
import { type Chance, seededChance } from './seeded-chance';
import { SimulatedQueue } from './simulated-queue';

const HOUR_MS = 3_600_000;
const STEP_MS = 50;
/** A change about once in seventy seconds. */
const CHANGE_EVERY_MS = 70_000;
const RAMP_MS = 60_000;
/** A longer backlog gets more workers and fewer jobs, or it would never be gone. */
const LONG = 2_000;

export interface Regime {
  /** Jobs a second. */
  arrivals: number;
  workers: number;
  meanRunMs: number;
  isPaused: boolean;
  /** By how much the arrivals change in each step, and until when. */
  ramp: { until: number; perStep: number };
  /** When it last changed without a word, and with a word: a pause is known. */
  changedAt: number;
  announcedAt: number;
}
const SLOTS_PER_WORKER = 4;

export interface DrainReading {
  readonly at: number;
  readonly ready: number;
  readonly forecast: DrainForecast | null;
  /** Jobs that all slots end a second while they are busy. */
  readonly capacity: number;
  readonly arrivals: number;
  readonly workers: number;
  /** The regime is old enough for any measurement to know it. */
  readonly isSettled: boolean;
}

const FOLLOWS_MS = 35_000;
const FOLLOWS_PAUSE_MS = 10_000;

export function queueHour(seed: number): DrainReading[] {
  const chance = seededChance(seed);
  const queue = new SimulatedQueue(chance);
  const regime: Regime = {
    arrivals: 6,
    workers: 4,
    meanRunMs: 800,
    isPaused: false,
    ramp: { until: 0, perStep: 0 },
    changedAt: 0,
    announcedAt: 0,
  };
  const readings: DrainReading[] = [];
  for (let now = 0; now < HOUR_MS; now += STEP_MS) {
    if (now < regime.ramp.until) {
      regime.arrivals = Math.max(0, regime.arrivals + regime.ramp.perStep);
      regime.changedAt = now;
    }
    if (chance.next() < STEP_MS / CHANGE_EVERY_MS) change(regime, queue, now, chance);
    queue.enqueue(now, chance.poisson((regime.arrivals * STEP_MS) / 1_000));
    work(queue, regime, now);
    if (now % 1_000 === 0) readings.push(read(queue, regime, now));
  }
  return readings;
}

function change(regime: Regime, queue: SimulatedQueue, now: number, chance: Chance): void {
  const isLong = queue.waiting.length > LONG;
  const what = chance.next();
  if (what < 0.2) {
    regime.isPaused = !regime.isPaused;
    regime.announcedAt = now;
    return;
  }
  regime.changedAt = now;
  if (what < 0.35) regime.arrivals = chance.next() < 0.25 ? 0 : chance.between(1, isLong ? 10 : 40);
  else if (what < 0.5) regime.ramp = { until: now + RAMP_MS, perStep: chance.between(-0.01, 0.02) };
  else if (what < 0.65) queue.enqueue(now, Math.round(chance.between(100, 1_500)));
  else if (what < 0.8) regime.workers = Math.round(chance.between(isLong ? 8 : 1, 12));
  else if (what < 0.9) {
    queue.crash(now);
    regime.workers = chance.next() < 0.5 ? 0 : 2;
  } else regime.meanRunMs = chance.between(200, 2_000);
}

function work(queue: SimulatedQueue, { workers, meanRunMs, isPaused }: Regime, now: number): void {
  queue.end(now);
  if (isPaused) return;
  for (let free = workers * SLOTS_PER_WORKER - queue.busySlots; free > 0; free--) queue.start(now, meanRunMs);
}

function read(queue: SimulatedQueue, regime: Regime, now: number): DrainReading {
  const { arrivals, workers, meanRunMs, isPaused, changedAt, announcedAt } = regime;
  const { flow, ready, oldestAgeMs } = queue.read(now);
  const isSaid = ready > 0 && !isPaused && workers > 0;
  return {
    at: now,
    ready,
    forecast: isSaid ? forecastDrain({ ready, oldestAgeMs, workers, ...flow }) : null,
    // A free slot waits for the next step.
    capacity: (workers * SLOTS_PER_WORKER * 1_000) / (meanRunMs + STEP_MS / 2),
    arrivals,
    workers,
    isSettled: isSaid && now - changedAt >= FOLLOWS_MS && now - announcedAt >= FOLLOWS_PAUSE_MS,
  };
}
