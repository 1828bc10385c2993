/**
 * Proves the tests of exactly-once: the guards are taken out of the scripts one by one, and each time the same story must
 * come to another end. A story that ends well without a guard says nothing about it.
 */
import { expect, it } from 'vitest';
import type { ScriptName } from '@/lib/broker/lua.generated';
import { withMutant } from '@/testing/model/mutate-script';
import { BY, claimAll, setUpWorld } from '@/testing/worlds/world';
import { changeSchedule, createSchedule, deleteSchedule, tickSchedules } from '.';
import { tickSchedule } from './tick-schedules';

const world = await setUpWorld();

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

const FENCE = 'fence.save(id, generation, slot, job, outcome, entered, skipped)\n';
it.each<[guard: string, script: ScriptName, is: string, becomes: string, ends: RegExp]>([
  [
    'slots already dealt with',
    'schedule-enter',
    'if slot >= from then return queue.commit(answer(0)) end\n',
    '',
    /from before it: a slot again/,
  ],
  [
    'old generations',
    'schedule-enter',
    'if generation < at then return queue.commit(answer(-1)) end\n',
    '',
    /before the change: an unwanted job/,
  ],
  [
    'old pictures',
    'schedule-enter',
    'if queue.now - tonumber(ARGV[4]) > 3600000 then return queue.commit(answer(-2)) end\n',
    '',
    /a day later: an unwanted job/,
  ],
  ['moving the fence on', 'schedule-enter', `${FENCE}return`, 'return', /from before it: a slot again/],
  [
    'raising the fence',
    'schedule-fence',
    `${FENCE}change_log`,
    'change_log',
    /before the change: an unwanted job/,
  ],
  [
    'comparing before moving on',
    'schedule-advance',
    'if generation ~= ARGV[3] or slot ~= ARGV[4] then return 0 end\n',
    '',
    /half a tick from before it: moved the record/,
  ],
])('without %s it does not', async (guard, script, is, becomes, ends) => {
  await withMutant({ defect: guard, script, is, becomes }, async () => {
    expect((await story()).join('\n')).toMatch(ends);
  });
});
