/** A queue at a glance, written to be read: snapshot-types.test.ts holds it and the schema together. Times are in ms since 1970. */
import type { StateCounts } from '../jobs/job-states';
import type { VERDICT_LEVELS } from './queue-limits';

/** What a pause stops: the whole queue, one tenant, or one job type. */
export type PauseScope = 'queue' | `tenant:${string}` | `type:${string}`;

export interface Pause {
  scope: PauseScope;
  since: number;
  /** The pause ends at this time; null: when a user resumes. */
  until: number | null;
  actor: string;
  reason: string;
}

/** Since the queue was made. `enqueued` = the sum of `counts` + `deleted`, always. */
export type Totals = Record<
  | 'enqueued'
  | 'deleted'
  | 'claimed'
  | 'completed'
  | 'failed'
  | 'retried'
  | 'dead'
  | 'reclaimed'
  | 'released'
  | 'redriven'
  | 'duplicates',
  number
>;

export interface Ledger {
  enqueued: number;
  inStates: number;
  deleted: number;
  /** enqueued − inStates − deleted. Anything but 0 is a defect. */
  difference: number;
}

/** From what Redis counted in the last minute, so that all consoles say the same. */
export interface Rates {
  arrivalPerSecond: number;
  completedPerSecond: number;
  /** Runs that failed or were lost. */
  failedPerSecond: number;
  /** Those that were lost: their worker died, or stopped renewing the lease. */
  lostPerSecond: number;
  /** Share of runs that failed or were lost, 0..1; null: none ended. */
  failureRatio: number | null;
  /** Over how long the rates were measured. */
  windowMs: number;
}

/** Over as long as the oldest ready job has waited, a minute at most. */
export interface DrainForecast {
  trend: 'shrinking' | 'steady' | 'growing';
  /** Until the ready jobs are gone; null: they do not get fewer, or it is not known how fast. */
  ms: number | null;
  /** How many more jobs become ready a second than end; negative: the backlog shrinks. Null: not known well enough. */
  growthPerSecond: number | null;
  /** How many more workers like the present ones would keep up; null: none, or not known. */
  workersNeeded: number | null;
}

export interface QueueSnapshot {
  queue: string;
  /** When these numbers were read, by the clock of Redis: with very many queues they are read in turns. */
  at: number;
  /** The worst finding of the verdict for this queue. */
  level: (typeof VERDICT_LEVELS)[number];
  counts: StateCounts;
  ledger: Ledger;
  totals: Totals;
  rates: Rates;
  oldestReadyAgeMs: number | null;
  nextDueAt: number | null;
  /** How long ago the oldest expired, not yet reclaimed lease ran out. */
  overdueLeaseMs: number | null;
  runTimeP95Ms: number | null;
  /** Runs that ended, those that failed or were lost among them, and jobs that died. */
  lastFiveMinutes: { runs: number; failed: number; died: number };
  /** When the verdict names the queue: age of the oldest ready job, share of failed runs (0..1), jobs still to be done (null: any). */
  objectives: { ageMs: number; failureRatio: number; depth: number | null };
  /** How ready jobs come and go, over seconds; `chancePerSecond`: by how much the difference may be off, one standard deviation. */
  flow: { donePerSecond: number; arrivalPerSecond: number; chancePerSecond: number };
  /** Null: nothing is ready, or the queue is paused. */
  drain: DrainForecast | null;
  pauses: Pause[];
  /** Refuses new jobs while the old ones finish. */
  draining: boolean;
  /** Jobs still to be done (ready, scheduled, retry and held), and how many the queue takes; null: any number. */
  depth: { jobs: number; limit: number | null };
  /** Tenants with jobs that their rate or concurrency limit holds back. */
  throttledTenants: number;
  /** When retention deletes the oldest dead job; null: never. */
  deadExpireAt: number | null;
  /** Into how many hash slots the queue is spread, and which of these could not be read: the numbers are then partial. */
  shards: { count: number; unavailable: number[] };
  /** Live workers that listen to this queue. */
  workers: number;
}
