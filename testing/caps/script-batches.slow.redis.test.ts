/** What scripts cost at their limits, by the processor time of a real Redis, and that each script with a batch has a limit. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { SCRIPTS, type ScriptName } from '@/lib/broker/lua.generated';
import { SCRIPT_BATCHES } from '@/lib/broker/redis/scripts/script-batches';
import { setUpWorld } from '@/testing/worlds/world';
import { MeteredRedis } from './script-meter';
import { playScripts } from './script-plays';

const BAR_MS = 5;
const ROUNDS = 2;
/** Constant work that takes a millisecond on an idle machine, so many times around each round. */
const CONSTANT_TIMES = 25;
const world = await setUpWorld();
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** A loop over arguments, or a part of a collection that is larger than one. */
const TAKES_SEVERAL =
  /for \w+ = [^\n]*#ARGV|unpack\(ARGV|'LIMIT',(?! 0, 1\b)|'COUNT',(?! (?:1|2000)\b)|'ZPOPMIN'/;

describe('the table of batches', () => {
  it('has each script that takes several entries', () => {
    const several = (Object.keys(SCRIPTS) as ScriptName[]).filter((name) =>
      TAKES_SEVERAL.test(SCRIPTS[name].lua),
    );
    expect(several.filter((name) => !(name in SCRIPT_BATCHES))).toEqual([]);
  });
});

describe('at its limit', () => {
  it('each job script keeps Redis for less than 5 ms, at the pace of constant work', {
    timeout: 180_000,
  }, async () => {
    const redis = new MeteredRedis({ path: world.server.path });
    onTestFinished(() => redis.disconnect());
    // Calls that miss their script cost nothing.
    for (const { lua } of Object.values(SCRIPTS)) await world.redis.script('LOAD', lua);
    const broker = world.another({ redis });
    const costs = new Map<string, number[]>();
    for (let round = 0; round < ROUNDS; round++) {
      const dearest = new Map<string, number>();
      for await (const what of playScripts(world, broker)) {
        const constant: number[] = [];
        for (let i = 0; i < CONSTANT_TIMES; i++) constant.push(await redis.constantUs());
        const unitUs = median(constant);
        const taken = new Map<string, number[]>();
        for (const { name, us } of await redis.taken()) taken.set(name, [...(taken.get(name) ?? []), us]);
        // One call of several may meet a page fault or an interrupt of the machine: the one in the middle does not.
        for (const [name, calls] of taken) {
          const ms = median(calls) / unitUs;
          dearest.set(name, Math.max(dearest.get(name) ?? 0, ms));
          if (process.env.SHOW_COSTS) console.info(`${what}: ${name} ${ms.toFixed(2)} (${calls.length})`);
        }
      }
      for (const [name, ms] of dearest) costs.set(name, [...(costs.get(name) ?? []), ms]);
    }
    const measured = [...costs].map(([name, rounds]) => [name, Math.min(...rounds)] as const);
    expect(measured.filter(([, ms]) => ms >= BAR_MS)).toEqual([]);
    const played = Object.entries(SCRIPT_BATCHES).filter(([, batch]) => 'costMs' in batch);
    expect(played.map(([name]) => name).filter((name) => !costs.has(name))).toEqual([]);
    if (process.env.SHOW_COSTS) console.info(Object.fromEntries(measured));
  });
});
