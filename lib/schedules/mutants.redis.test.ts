/**
 * Proves the tests of exactly-once: the guards are taken out of the scripts one by one, and each time the same story must
 * come to another end. A story that ends well without a guard says nothing about it.
 */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { SCRIPTS, type ScriptName } from '@/lib/broker/lua.generated';
import { BY, claimAll, openWorld, type World } from '@/testing/world';
import { changeSchedule, createSchedule, deleteSchedule, tickSchedules } from '.';
import { tickSchedule } from './tick';

// A copy the tests may damage; the broker under test imports the same one.
vi.mock('@/lib/broker/lua.generated', async (original) => ({
  SCRIPTS: structuredClone((await original<typeof import('@/lib/broker/lua.generated')>()).SCRIPTS),
}));
const scripts = SCRIPTS as unknown as Record<
  ScriptName,
  { lua: string; sha: string; keys: readonly string[] }
>;

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const SECOND = 1_000;
const DAY = 86_400_000;
let ids = 0;

/** A scheduler holds a picture through ticks, a change, a deletion and a day. What it ever did wrong, in words. */
async function story(): Promise<string[]> {
  const wrong: string[] = [];
  const queue = world.freshQueue();
  await world.redis.hset(world.column(queue, 'config'), 'completedKeep', 0);
  const id = `s${++ids}`;
  const input = { id, queue, timing: { everyMs: SECOND }, job: { jobType: 'demo', payload: 'old' } };
  await createSchedule(world.broker, input, BY);
  const seen = new Set<string>();
  const collect = async (what: string, payload?: string) => {
    const taken = await claimAll(world.broker, queue);
    if (taken.length > 0) await world.broker.ack(queue, taken);
    for (const job of taken) {
      const slot = job.jobId.split('.').at(-2) ?? '';
      if (seen.has(slot)) wrong.push(`${what}: a slot again`);
      seen.add(slot);
      if (payload === undefined || job.payload.toString() !== payload) wrong.push(`${what}: an unwanted job`);
    }
  };
  const picture = async () => {
    const { due, now } = await world.broker.schedules.due();
    const entry = due.find(({ member }) => member === id);
    if (entry?.kind !== 'schedule') throw new Error('it is due');
    return () => tickSchedule(world.broker, entry.stored, now);
  };
  const nextAt = async () => (await world.broker.schedules.get(id)).schedule.nextAt;

  world.clock.now += SECOND;
  const first = await picture();
  await tickSchedules(world.broker);
  await collect('the first tick', 'old');
  await first();
  await collect('a picture from before it');

  // One freezes between entering and moving on, and wakes when the others are further.
  world.clock.now += SECOND;
  let wake = async () => false;
  const { due, now } = await world.broker.schedules.due();
  const entry = due.find(({ member }) => member === id);
  if (entry?.kind !== 'schedule') throw new Error('it is due');
  const advance: typeof world.broker.schedules.advance = async (...args) => {
    wake = () => world.broker.schedules.advance(...args);
    return false;
  };
  await tickSchedule({ schedules: { ...world.broker.schedules, advance } }, entry.stored, now);
  world.clock.now += SECOND;
  await tickSchedules(world.broker);
  await collect('the ticks of the others', 'old');
  const stands = await nextAt();
  await wake();
  if ((await nextAt()) !== stands) wrong.push('half a tick from before it: moved the record');

  world.clock.now += SECOND;
  const second = await picture();
  await changeSchedule(world.broker, id, { job: { jobType: 'demo', payload: 'new' } }, BY);
  await second();
  await collect('a picture from before the change');
  await tickSchedules(world.broker);
  await collect('the tick after the change', 'new');

  world.clock.now += SECOND;
  const third = await picture();
  await deleteSchedule(world.broker, id, BY);
  await third();
  await collect('a picture from before the deletion');
  world.clock.now += DAY + SECOND;
  await tickSchedules(world.broker);
  await third();
  await collect('the same, a day later');
  return wrong;
}

it('the story ends well as the scripts are', async () => {
  expect(await story()).toEqual([]);
});

const FENCE = 'set_fence(id, generation, slot, job, outcome, entered, skipped)\n';
it.each<[guard: string, script: ScriptName, is: string, becomes: string, ends: RegExp]>([
  [
    'slots already dealt with',
    'schedule-enter',
    'if slot >= from then return answer(0) end\n',
    '',
    /from before it: a slot again/,
  ],
  [
    'old generations',
    'schedule-enter',
    'if generation < at then return answer(-1) end\n',
    '',
    /before the change: an unwanted job/,
  ],
  [
    'old pictures',
    'schedule-enter',
    'if now - tonumber(ARGV[4]) > 3600000 then return answer(-2) end\n',
    '',
    /a day later: an unwanted job/,
  ],
  ['moving the fence on', 'schedule-enter', `${FENCE}return`, 'return', /from before it: a slot again/],
  [
    'raising the fence',
    'schedule-fence',
    `${FENCE}enter_change`,
    'enter_change',
    /before the change: an unwanted job/,
  ],
  [
    'comparing before moving on',
    'schedule-advance',
    'if generation ~= ARGV[3] or slot ~= ARGV[4] then return 0 end\n',
    '',
    /half a tick from before it: moved the record/,
  ],
])('without %s it does not', async (_, name, is, becomes, ends) => {
  const script = scripts[name];
  const sound = { ...script };
  expect(script.lua.split(is)).toHaveLength(2);
  script.lua = script.lua.replace(is, becomes);
  script.sha = createHash('sha1').update(script.lua).digest('hex');
  try {
    expect((await story()).join('\n')).toMatch(ends);
  } finally {
    Object.assign(script, sound);
  }
});
