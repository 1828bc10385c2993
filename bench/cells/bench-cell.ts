import type { Stage } from '../harness/bench-stage';
import type { Reading } from '../harness/bench-verdict';
import type { SideName } from '../sides/bench-side';

/** How much of everything: enough for stable figures, or just enough to see that all of it works. */
export interface Sizes {
  readonly life: number;
  readonly bulk: number;
  readonly c10: number;
  readonly c1: number;
  readonly wait: number;
  readonly two: number;
  readonly pickups: number;
  readonly crowd: number;
  /** Times our supervised recovery is repeated within its one round. */
  readonly kills: number;
}
export const FULL: Sizes = {
  life: 60_000,
  bulk: 100_000,
  c10: 40_000,
  c1: 12_000,
  wait: 20_000,
  two: 100_000,
  pickups: 700,
  crowd: 100_000,
  kills: 5,
};
export const QUICK: Sizes = {
  life: 2_000,
  bulk: 5_000,
  c10: 1_000,
  c1: 300,
  wait: 1_000,
  two: 2_000,
  pickups: 120,
  crowd: 4_000,
  kills: 1,
};

/** `round`: where one run of a cell repeats something within itself. */
export type Found = Omit<Reading, 'side' | 'round'> & { round?: number };

/** One part of the bench: everything it takes to measure one side in one round. */
export interface Cell {
  readonly name: string;
  readonly sides: readonly SideName[];
  /** At most so many rounds, for what takes minutes and hardly varies. */
  readonly roundsMax?: number;
  /** All sides of a round at once: for what is spent waiting. */
  readonly together?: boolean;
  run(stage: Stage, sizes: Sizes): Promise<Found[]>;
}

/** Processor time of one of `jobs` jobs. */
export const cpuPerJob = (jobs: number, redisUs: number, clientUs: number) => ({
  redisUs: redisUs / jobs,
  clientUs: clientUs / jobs,
});

/** Jobs a second, and processor time a job. */
export const rateOf = (
  measure: string,
  jobs: number,
  tookMs: number,
  redisUs: number,
  clientUs: number,
): Found => ({ measure, value: (jobs / tookMs) * 1_000, cpu: cpuPerJob(jobs, redisUs, clientUs) });
