/**
 * Random sequences of everything the broker can do, against a model that cannot be wrong in the same way. After every
 * single command the raw keys are held against the model and the invariants.
 *
 * MODEL_RUNS=2000 runs longer; MODEL_SEED and MODEL_PATH repeat the run a failure printed.
 */
import { expect, it } from 'vitest';
import { runModel } from '@/testing/model/run-model';
import { setUpWorld } from '@/testing/worlds/world';

const RUNS = Number(process.env.MODEL_RUNS ?? 120);

const world = await setUpWorld();

/** Some 12 s on an idle machine; the rest is for busy ones, and for shortening what failed. */
const TIME_LIMIT_MS = Math.max(240_000, RUNS * 1_500);

it('does what the model does, whatever is done in whatever order', {
  timeout: TIME_LIMIT_MS + 30_000,
}, async () => {
  const { commands } = await runModel(world, { runs: RUNS, timeLimitMs: TIME_LIMIT_MS });
  // A generator that drifts towards short runs would pass and prove little.
  if (!process.env.MODEL_PATH) expect(commands / RUNS).toBeGreaterThan(60);
});
