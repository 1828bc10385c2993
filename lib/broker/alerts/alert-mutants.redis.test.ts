/** Proves the tests of "once": a guard is taken out of a script, and the same story must come to another end. */
import { expect, test } from 'vitest';
import { type Mutant, withMutant } from '@/testing/model/mutate-script';
import { setUpWorld } from '@/testing/worlds/world';
import { channel, finding, RULES } from './fixture-findings';

const world = await setUpWorld();
const consoles = [world.broker, world.another(), world.another()].map(({ alerts }) => alerts);
const [first] = consoles;
const NIGHT = new Set(['night']);

/** Three consoles look, take and settle at the same time; one of them wakes after its lease. What went wrong, in words. */
async function story(): Promise<string[]> {
  if (!first) throw new Error('there are three');
  await world.redis.flushall();
  const wrong: string[] = [];
  const look = () =>
    Promise.all(
      consoles.map((one) =>
        one.look({ at: world.clock.now, findings: [finding()], isComplete: true }, RULES, [channel('night')]),
      ),
    );
  await look();
  world.clock.now += 30_000;
  await look();
  const { deliveries } = await first.deliveries({ limit: 10 });
  if (deliveries.length !== 1) wrong.push(`fired ${deliveries.length} times`);
  const taken = (await Promise.all(consoles.map((one) => one.take(NIGHT, 1)))).flatMap((one) => one.taken);
  if (taken.length !== 1) wrong.push(`taken ${taken.length} times`);
  const [asleep] = taken;
  world.clock.now += 31_000;
  const again = (await first.take(NIGHT, 1)).taken[0];
  if (!asleep || !again) return [...wrong, 'not taken'];
  await first.settle(again, null);
  if (await first.settle(asleep, { error: 'late', isFinal: true })) wrong.push('a late result counted');
  const beats = await Promise.all(consoles.map((one) => one.heartbeat('alive', 1_000)));
  if (beats.filter(Boolean).length !== 1) wrong.push('several hearts');
  return wrong;
}

test('the story ends well', async () => {
  expect(await story()).toEqual([]);
});

test.each<Mutant>([
  {
    defect: 'a look does not compare the version',
    script: 'alerts-change',
    is: "if (redis.call('HGET', keys.alertsState, 'version') or '0') ~= ARGV[2] then return 0 end",
    becomes: '',
  },
  {
    defect: 'a change leaves the version',
    script: 'alerts-change',
    is: "redis.call('HINCRBY', keys.alertsState, 'version', 1)",
    becomes: '',
  },
  {
    defect: 'a status is replaced whatever it is by now',
    script: 'alerts-deliver',
    is: "if (redis.call('HGET', keys.alertsAttempts, id) or '') ~= ARGV[3] then return 0 end",
    becomes: '',
  },
  {
    defect: 'a message that is taken stays due',
    script: 'alerts-deliver',
    is: "if ARGV[5] ~= '' then redis.call('ZADD', keys.alertsDue, ARGV[5], id) end",
    becomes: '',
  },
  {
    defect: 'a heartbeat is called by everybody',
    script: 'alerts-beat',
    is: '> clock.now then return 0 end',
    becomes: '> clock.now * 2 then return 0 end',
  },
])('is not so when $defect', async (mutant) => {
  await withMutant(mutant, async () => {
    expect(await story()).not.toEqual([]);
  });
});
