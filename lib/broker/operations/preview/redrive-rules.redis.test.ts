/** A preview and the scripts that move jobs ask the same Lua rules: a rule that is damaged changes both alike. */
import { expect, it } from 'vitest';
import type { ScriptName } from '@/lib/broker/lua.generated';
import { withMutant } from '@/testing/model/mutate-script';
import { operate, previewOf } from '@/testing/worlds/operation-runs';
import { BY, CRASH, claimAll, enqueueAll, jobs, killAll, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();
const HOUR = 3_600_000;

/** Dead jobs, each of which another rule stops, and one that may run again. */
async function deadJobs(target?: string): Promise<string> {
  const queue = world.freshQueue();
  const unique = { key: 'order-1', ttlMs: HOUR, scope: 'claimed' as const };
  await killAll(world.broker, queue, [
    ...jobs(1, 0),
    ...jobs(1, 1, { deadline: world.clock.now + 1_000 }),
    ...jobs(1, 2, { unique }),
  ]);
  await world.broker.config.change(queue, { maxDeliveries: 1 }, BY);
  await enqueueAll(world.broker, queue, jobs(1, 3));
  await claimAll(world.broker, queue, { worker: 'dies' });
  await world.broker.reclaimWorker(queue, 'dies', CRASH);
  world.clock.now += 2_000;
  await enqueueAll(world.broker, target ?? queue, jobs(1, 4, { unique }));
  if (target) await enqueueAll(world.broker, target, jobs(1, 0));
  return queue;
}

async function skipsOf(kind: 'redrive' | 'move') {
  const target = kind === 'move' ? world.freshQueue() : undefined;
  const queue = await deadJobs(target);
  const wanted = { kind, q: `queue:${queue}`, ...(target && { target }) };
  const { skips: previewed } = await previewOf(world.broker, wanted);
  const { skips: skipped } = await operate(world.broker, wanted);
  return { previewed, skipped };
}

const RULES = [
  ['deadline-passed', 'tonumber(deadline) <= clock.now', 'false'],
  ['no-idempotency-key', 'if keyed and not', 'if false and not'],
  ['not-unique', 'owner and (even_own or owner ~= id)', 'false'],
] as const;

async function withMutants(
  scripts: readonly ScriptName[],
  is: string,
  becomes: string,
  run: () => Promise<void>,
) {
  const [script, ...rest] = scripts;
  if (!script) return run();
  await withMutant({ defect: is, script, is, becomes }, () => withMutants(rest, is, becomes, run));
}

it.each(['redrive', 'move'] as const)(
  'a preview of %s skips what its scripts skip, rule by rule',
  async (kind) => {
    const whole = await skipsOf(kind);
    expect(Object.keys(whole.skipped)).toEqual(expect.arrayContaining(RULES.map(([reason]) => reason)));
    expect(whole.previewed).toEqual(whole.skipped);
    for (const [reason, is, becomes] of RULES) {
      const mover = reason === 'not-unique' ? 'transfer-arrive' : 'transfer-send';
      await withMutants(['redrive-check', kind === 'move' ? mover : kind], is, becomes, async () => {
        const damaged = await skipsOf(kind);
        expect(damaged.previewed, reason).toEqual(damaged.skipped);
        expect(damaged.skipped[reason], reason).toBeUndefined();
      });
    }
  },
);
