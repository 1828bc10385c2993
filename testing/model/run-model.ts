/** Runs the model-based test; shared with the one that proves it catches seeded defects. */
import fc from 'fast-check';
import { START, type World } from '../worlds/world';
import { BrokerModel, MODEL_CONFIG } from './broker-model';
import { commandArbitraries, newReal, type Real } from './model-commands';

export interface ModelRunOptions {
  runs: number;
  seed?: number;
  /** Looks for the shortest sequence that fails. Off where it only matters that one does. */
  shrink?: boolean;
  timeLimitMs?: number;
}

/** @throws the first difference, with the seed, the path and the commands that lead to it */
export async function runModel(
  world: World,
  { runs, seed, shrink = true, timeLimitMs = 60_000 }: ModelRunOptions,
): Promise<{ commands: number }> {
  let commands = 0;
  const given = process.env.MODEL_SEED ? Number(process.env.MODEL_SEED) : seed;
  const path = process.env.MODEL_PATH;
  const property = fc.asyncProperty(
    fc.commands(commandArbitraries, { maxCommands: 200, size: 'max' }),
    async (sequence) => {
      const real = await freshQueue(world);
      try {
        await fc.asyncModelRun(() => ({ model: new BrokerModel(world.clock), real }), sequence);
      } finally {
        commands += real.executed;
      }
    },
  );
  await fc.assert(property, {
    numRuns: runs,
    endOnFailure: !shrink,
    // Ends a long search for a shorter sequence while there is still time to print the seed.
    interruptAfterTimeLimit: timeLimitMs,
    markInterruptAsFailure: true,
    ...(given === undefined ? {} : { seed: given }),
    ...(path ? { path } : {}),
  });
  return { commands };
}

async function freshQueue(world: World): Promise<Real> {
  await world.redis.flushdb();
  world.clock.now = START;
  const real = newReal(world);
  await world.redis.hset(
    world.column(real.queue, 'config'),
    Object.fromEntries(Object.entries(MODEL_CONFIG).map(([field, value]) => [field, String(value)])),
  );
  return real;
}
