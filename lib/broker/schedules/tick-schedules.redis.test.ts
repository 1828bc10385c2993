/** One job an occurrence, however many processes tick, in any order, however old their reading. */
import { describe, expect, it, vi } from 'vitest';
import type { ScheduleRequest } from '@/lib/contract/schedules/schedule-schemas';
import type { Broker } from '@/testing/create-broker';
import { readRaw, violations } from '@/testing/model/invariants';
import { until } from '@/testing/poll';
import { BY, claimAll, impatient, setUpWorld } from '@/testing/worlds/world';
import {
  changeSchedule,
  createSchedule,
  deleteSchedule,
  pauseSchedule,
  resumeSchedule,
  tickSchedules,
} from '.';
import { occurrenceJobId } from './enter-occurrences';
import { tickSchedule } from './tick-schedules';

const world = await setUpWorld();

const SECOND = 1_000;
let ids = 0;
const request = (queue: string, rest: Partial<ScheduleRequest> = {}): ScheduleRequest => ({
  id: `s${++ids}`,
  queue,
  timing: { everyMs: SECOND },
  job: { jobType: 'demo', payload: '{"a":1}' },
  ...rest,
});

/** Takes and acknowledges all there is: with `completedKeep` 0 nothing but the fence remembers a job then. */
async function drain(queue: string): Promise<string[]> {
  const taken = await claimAll(world.broker, queue);
  if (taken.length > 0) await world.broker.ack(queue, taken);
  return taken.map((job) => job.jobId);
}
const forgetful = (queue: string) => world.redis.hset(world.column(queue, 'config'), 'completedKeep', 0);
const slotOf = (jobId: string) => Number(jobId.split('.').at(-2));
const secondsFrom = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => from + (i + 1) * SECOND);
const read = async (broker: Broker, id: string) => {
  const { due, now } = await broker.schedules.due();
  const entry = due.find((one) => one.member === id);
  if (entry?.kind !== 'schedule') throw new Error(`${id} is not due`);
  return { stored: entry.stored, now };
};
async function sound(queue: string): Promise<void> {
  expect(violations(await readRaw(world.redis, world.keys, queue))).toEqual([]);
  expect(await world.broker.inspect.ledger(queue)).toMatchObject({ difference: 0 });
}

it('enters jobs that are found by their idempotency keys', async () => {
  const queue = world.freshQueue();
  const { id } = await createSchedule(world.broker, request(queue), BY);
  world.clock.now += SECOND;
  await tickSchedules(world.broker);
  const [job] = await claimAll(world.broker, queue);
  const { jobs } = await world.broker.inspect.find(job?.envelope.idempotencyKey ?? '?');
  expect(jobs).toMatchObject([{ queue, jobId: job?.jobId, by: 'key' }]);
  await deleteSchedule(world.broker, id, BY);
});

describe('B16: each slot becomes exactly one job', () => {
  it('with five schedulers at once, each several times, while its jobs are forgotten', async () => {
    const queue = world.freshQueue();
    await forgetful(queue);
    const brokers = Array.from({ length: 5 }, () => world.another());
    const { id } = await createSchedule(world.broker, request(queue), BY);
    const start = world.clock.now;
    const seen: string[] = [];
    for (let second = 1; second <= 40; second++) {
      world.clock.now = start + second * SECOND;
      const turns = [...brokers, ...brokers].sort(() => Math.random() - 0.5);
      await Promise.all(turns.map((broker) => tickSchedules(broker)));
      seen.push(...(await drain(queue)));
    }
    expect(seen.map(slotOf)).toEqual(secondsFrom(start, 40));
    expect((await world.broker.schedules.get(id)).schedule).toMatchObject({
      entered: 40,
      skipped: 0,
      last: { fireTime: start + 40 * SECOND, outcome: 'entered', jobId: seen.at(-1) },
      nextAt: start + 41 * SECOND,
    });
    await sound(queue);
    await deleteSchedule(world.broker, id, BY);
  });

  it('when a scheduler freezes with a picture in hand and wakes after the others went on', async () => {
    const queue = world.freshQueue();
    await forgetful(queue);
    const { id } = await createSchedule(world.broker, request(queue), BY);
    const start = world.clock.now;
    world.clock.now = start + SECOND;
    const frozen = world.another();
    const picture = await read(frozen, id);
    const seen: string[] = [];
    for (let second = 1; second <= 30; second++) {
      world.clock.now = start + second * SECOND;
      await tickSchedules(world.broker);
      seen.push(...(await drain(queue)));
    }
    await tickSchedule(frozen, picture.stored, picture.now);
    expect(await drain(queue)).toEqual([]);
    // It moved nothing back either.
    expect((await world.broker.schedules.get(id)).schedule).toMatchObject({
      entered: 30,
      nextAt: start + 31 * SECOND,
    });
    expect(seen).toHaveLength(30);
    await deleteSchedule(world.broker, id, BY);
  });

  it('when schedulers die after entering and before moving on, every time', async () => {
    const queue = world.freshQueue();
    await forgetful(queue);
    const { id } = await createSchedule(world.broker, request(queue, { missed: 'all' }), BY);
    const start = world.clock.now;
    /** Dies at its first word to the records. */
    const dying = (broker: Broker) => ({
      schedules: {
        ...broker.schedules,
        advance: async () => {
          throw new Error('killed');
        },
      },
    });
    const seen: string[] = [];
    for (let second = 1; second <= 20; second++) {
      world.clock.now = start + second * SECOND;
      for (let i = 0; i < 3; i++) {
        const { stored, now } = await read(world.broker, id);
        await tickSchedule(dying(world.broker), stored, now).catch(() => undefined);
      }
      seen.push(...(await drain(queue)));
      if (second % 4 === 0) await tickSchedules(world.broker);
    }
    await tickSchedules(world.broker);
    seen.push(...(await drain(queue)));
    expect(seen.map(slotOf)).toEqual(secondsFrom(start, 20));
    // The count is the fence's, so nothing is counted twice or forgotten either.
    expect((await world.broker.schedules.get(id)).schedule).toMatchObject({ entered: 20, skipped: 0 });
    await deleteSchedule(world.broker, id, BY);
  });

  it('in a storm of restarts: every turn by a scheduler that has just started', async () => {
    const queue = world.freshQueue();
    const { id } = await createSchedule(world.broker, request(queue), BY);
    const start = world.clock.now;
    for (let second = 1; second <= 12; second++) {
      world.clock.now = start + second * SECOND;
      const young = Array.from({ length: 4 }, () => world.another());
      await Promise.all(young.map((broker) => tickSchedules(broker)));
      for (const broker of young) broker.close();
    }
    expect((await drain(queue)).map(slotOf)).toEqual(secondsFrom(start, 12));
    await deleteSchedule(world.broker, id, BY);
  });

  it('while Redis forgets its scripts all the time', async () => {
    const queue = world.freshQueue();
    const { id } = await createSchedule(world.broker, request(queue), BY);
    const start = world.clock.now;
    let done = false;
    const flushing = (async () => {
      while (!done) await world.redis.script('FLUSH');
    })();
    for (let second = 1; second <= 15; second++) {
      world.clock.now = start + second * SECOND;
      await Promise.all([tickSchedules(world.broker), tickSchedules(world.another())]);
    }
    done = true;
    await flushing;
    expect((await drain(queue)).map(slotOf)).toEqual(secondsFrom(start, 15));
    await deleteSchedule(world.broker, id, BY);
  });

  it('when the reply of Redis is lost, before or after it did what was asked', async () => {
    const queue = world.freshQueue();
    const redis = impatient(world.server.path, 150);
    const broker = world.another({ redis });
    const { id } = await createSchedule(world.broker, request(queue), BY);
    const start = world.clock.now;
    // Once around, so that nothing has to be loaded while the reply is lost.
    world.clock.now = start + SECOND;
    await until(() => tickSchedules(broker).then(() => true), { what: 'the first tick' });
    for (let second = 2; second <= 5; second++) {
      world.clock.now = start + second * SECOND;
      const { stored, now } = await read(world.broker, id);
      await world.server.kill('SIGSTOP');
      const lost = tickSchedule(broker, stored, now).then(
        () => 'answered',
        (error: { code: string }) => error.code,
      );
      expect(await lost).toBe('UNKNOWN_OUTCOME');
      await world.server.kill('SIGCONT');
      await tickSchedules(world.broker);
    }
    expect((await drain(queue)).map(slotOf)).toEqual(secondsFrom(start, 5));
    await deleteSchedule(world.broker, id, BY);
    redis.disconnect();
  });

  it('B15: when the clocks of schedulers are an hour off, either way: Redis says what time it is', async () => {
    const queue = world.freshQueue();
    const real = world.another({ clock: undefined });
    const { id } = await createSchedule(real, request(queue), BY);
    const { nextAt } = (await real.schedules.get(id)).schedule;
    if (nextAt === null) throw new Error('it has a next slot');
    const honest = Date.now;
    const clock = vi.spyOn(Date, 'now');
    let shift = 0;
    clock.mockImplementation(() => honest() + shift);
    try {
      const seen = () => real.schedules.get(id).then(({ schedule }) => schedule.entered);
      for (let turn = 0; (await seen()) < 3; turn++) {
        shift = turn % 2 === 0 ? 3_600_000 : -3_600_000;
        await Promise.all([tickSchedules(real), tickSchedules(real)]);
      }
    } finally {
      clock.mockRestore();
    }
    const slots = (await claimAll(real, queue)).map((job) => slotOf(job.jobId));
    expect(slots).toEqual(slots.map((_, i) => nextAt + i * SECOND));
    await deleteSchedule(real, id, BY);
  });

  it('however long Redis’s clock stands back after a step', async () => {
    const queue = world.freshQueue();
    const { id } = await createSchedule(world.broker, request(queue), BY);
    const start = world.clock.now;
    world.clock.now = start + 5 * SECOND;
    await tickSchedules(world.broker);
    world.clock.now = start + 2 * SECOND;
    await tickSchedules(world.broker);
    await changeSchedule(world.broker, id, { timing: { everyMs: 500 * 2, anchor: 0 }, missed: 'all' }, BY);
    await tickSchedules(world.broker);
    world.clock.now = start + 7 * SECOND;
    await tickSchedules(world.broker);
    const slots = (await drain(queue)).map(slotOf);
    expect(new Set(slots).size).toBe(slots.length);
    expect(slots).toEqual(secondsFrom(start, 7));
    await deleteSchedule(world.broker, id, BY);
  });
});

describe('a change', () => {
  it('made while schedulers tick leaves no tick of the version before', async () => {
    const queue = world.freshQueue();
    const brokers = Array.from({ length: 4 }, () => world.another());
    const { id } = await createSchedule(world.broker, request(queue), BY);
    const start = world.clock.now;
    let second = 0;
    for (let version = 1; version <= 12; version++) {
      world.clock.now = start + ++second * SECOND;
      const frozen = await read(world.broker, id);
      const payload = `v${version}`;
      const [changed] = await Promise.all([
        changeSchedule(world.broker, id, { job: { jobType: 'demo', payload } }, BY),
        ...brokers.map((broker) => tickSchedules(broker)),
      ]);
      // From here on, nothing of an older version comes: not from a scheduler that holds one, either.
      await drain(queue);
      world.clock.now = start + ++second * SECOND;
      await tickSchedule(brokers[0] ?? world.broker, frozen.stored, world.clock.now);
      await Promise.all(brokers.map((broker) => tickSchedules(broker)));
      const taken = await claimAll(world.broker, queue);
      await world.broker.ack(queue, taken);
      expect(taken.map((job) => job.payload.toString())).toEqual(taken.map(() => payload));
      expect(taken.map((job) => Number(job.jobId.split('.').at(-3)))).toEqual(
        taken.map(() => changed.generation),
      );
    }
    // Whatever was raced for, each second had one job.
    expect((await world.broker.schedules.get(id)).schedule).toMatchObject({ entered: second, skipped: 0 });
    await sound(queue);
    await deleteSchedule(world.broker, id, BY);
  });

  it('to another queue takes the count along and lets nothing more into the old one', async () => {
    const [from, to] = [world.freshQueue(), world.freshQueue()];
    const { id } = await createSchedule(world.broker, request(from), BY);
    const start = world.clock.now;
    world.clock.now = start + 2 * SECOND;
    await tickSchedules(world.broker);
    world.clock.now = start + 3 * SECOND;
    const frozen = await read(world.broker, id);
    await changeSchedule(world.broker, id, { queue: to }, BY);
    await tickSchedule(world.another(), frozen.stored, frozen.now);
    await tickSchedules(world.broker);
    expect((await drain(from)).map(slotOf)).toEqual(secondsFrom(start, 2));
    expect((await drain(to)).map(slotOf)).toEqual([start + 3 * SECOND]);
    expect((await world.broker.schedules.get(id)).schedule).toMatchObject({ entered: 3, queue: to });

    // And back, before the old fence is forgotten.
    await changeSchedule(world.broker, id, { queue: from }, BY);
    world.clock.now = start + 4 * SECOND;
    await tickSchedules(world.broker);
    expect((await drain(from)).map(slotOf)).toEqual([start + 4 * SECOND]);
    expect((await world.broker.schedules.get(id)).schedule.entered).toBe(4);
    // A day later the fence it left behind is gone, and the one it has is not.
    world.clock.now += 86_400_000 + 10_000;
    await tickSchedules(world.broker);
    expect(await world.redis.hexists(world.column(to, 'occurrences'), id)).toBe(0);
    expect(await world.redis.hexists(world.column(from, 'occurrences'), id)).toBe(1);
    await drain(from);
    await deleteSchedule(world.broker, id, BY);
  });

  it('that died between fence and record does not end the schedule', async () => {
    const queue = world.freshQueue();
    const { id, generation } = await createSchedule(
      world.broker,
      request(queue, { timing: { everyMs: 20_000 } }),
      BY,
    );
    const dying = {
      ...world.broker,
      schedules: {
        ...world.broker.schedules,
        save: async () => {
          throw new Error('killed');
        },
      },
    };
    await expect(changeSchedule(dying, id, { missed: 'all' }, BY)).rejects.toThrow('killed');
    const slot = (await world.broker.schedules.get(id)).schedule.nextAt ?? 0;
    world.clock.now = slot + 1_000;
    await tickSchedules(world.broker);
    // For a while it may just be slow.
    expect(await drain(queue)).toEqual([]);
    world.clock.now = slot + 12_000;
    await tickSchedules(world.broker);
    await tickSchedules(world.broker);
    expect((await drain(queue)).map(slotOf)).toEqual([slot]);
    const { schedule } = await world.broker.schedules.get(id);
    expect(schedule).toMatchObject({ missed: 'one', entered: 1 });
    expect(schedule.generation).toBeGreaterThan(generation);
    await deleteSchedule(world.broker, id, BY);
  });
});

describe('a pause', () => {
  it('lets nothing in once it returns, and what passed is not made up for', async () => {
    const queue = world.freshQueue();
    const { id } = await createSchedule(world.broker, request(queue, { missed: 'all' }), BY);
    const start = world.clock.now;
    world.clock.now = start + SECOND;
    const frozen = await read(world.broker, id);
    const paused = await pauseSchedule(world.broker, id, BY);
    expect(paused).toMatchObject({ paused: true, nextAt: null });
    expect(await pauseSchedule(world.broker, id, BY)).toEqual(paused);
    world.clock.now = start + 20 * SECOND;
    await tickSchedule(world.another(), frozen.stored, frozen.now);
    await tickSchedules(world.broker);
    expect(await drain(queue)).toEqual([]);
    const resumed = await resumeSchedule(world.broker, id, BY);
    expect(resumed.nextAt).toBe(start + 21 * SECOND);
    world.clock.now = start + 22 * SECOND;
    await tickSchedules(world.broker);
    expect((await drain(queue)).map(slotOf)).toEqual([start + 21 * SECOND, start + 22 * SECOND]);
    await deleteSchedule(world.broker, id, BY);
  });
});

describe('a deleted schedule', () => {
  it('enters nothing more, from whatever picture, and its fence is forgotten in a day', async () => {
    const queue = world.freshQueue();
    const brokers = Array.from({ length: 4 }, () => world.another());
    const { id } = await createSchedule(world.broker, request(queue), BY);
    const start = world.clock.now;
    world.clock.now = start + SECOND;
    const frozen = await read(world.broker, id);
    await Promise.all([
      deleteSchedule(world.broker, id, BY),
      ...brokers.map((broker) => tickSchedules(broker)),
    ]);
    expect((await drain(queue)).length).toBeLessThanOrEqual(1);
    for (let second = 2; second <= 5; second++) {
      world.clock.now = start + second * SECOND;
      await Promise.all(brokers.map((broker) => tickSchedule(broker, frozen.stored, frozen.now)));
      await Promise.all(brokers.map((broker) => tickSchedules(broker)));
    }
    expect(await drain(queue)).toEqual([]);
    await expect(world.broker.schedules.get(id)).rejects.toMatchObject({ code: 'SCHEDULE_NOT_FOUND' });

    world.clock.now += 86_400_000;
    await tickSchedules(world.broker);
    expect(await world.redis.hexists(world.column(queue, 'occurrences'), id)).toBe(0);
    // The guard is gone, but so old a picture is not heard.
    await tickSchedule(brokers[0] ?? world.broker, frozen.stored, frozen.now);
    expect(await drain(queue)).toEqual([]);
    const left = await world.redis.zrange(world.keys.global('schedulesDue'), '0', '-1');
    expect(left.filter((member) => member.startsWith(`${id}@`))).toEqual([]);
  });

  it('may be made anew, with a count of its own, and the old one’s ticks stay out', async () => {
    const queue = world.freshQueue();
    const first = await createSchedule(world.broker, request(queue), BY);
    world.clock.now += SECOND;
    const frozen = await read(world.broker, first.id);
    await tickSchedules(world.broker);
    expect(await drain(queue)).toHaveLength(1);
    await deleteSchedule(world.broker, first.id, BY);
    const second = await createSchedule(world.broker, { ...request(queue), id: first.id }, BY);
    expect(second.generation).toBeGreaterThan(first.generation);
    await tickSchedule(world.another(), frozen.stored, frozen.now);
    expect(await drain(queue)).toEqual([]);
    world.clock.now += SECOND;
    await tickSchedules(world.broker);
    expect(await drain(queue)).toEqual([
      occurrenceJobId(await world.broker.schedules.get(first.id), world.clock.now),
    ]);
    expect((await world.broker.schedules.get(first.id)).schedule).toMatchObject({ entered: 1, skipped: 0 });
    await deleteSchedule(world.broker, first.id, BY);
  });
});

describe('L3: a producer who knows schedule, generation and slot', () => {
  it('cannot enter the job of a slot before the schedule does', async () => {
    const queue = world.freshQueue();
    const schedule = await createSchedule(world.broker, request(queue), BY);
    const slots = Array.from({ length: 4 }, (_, i) => (schedule.nextAt ?? 0) + i * SECOND);
    for (const slot of slots)
      await world.broker.enqueue(queue, {
        jobId: `${schedule.id}.${schedule.generation}.${slot}`,
        jobType: 'squatter',
      });
    world.clock.now = slots[0] ?? 0;
    await tickSchedules(world.broker);
    // Nor with what the id of an earlier slot shows.
    const { jobId = '' } = (await world.broker.schedules.get(schedule.id)).schedule.last ?? {};
    const proof = String(jobId).split('.').at(-1);
    for (const slot of slots.slice(1))
      await world.broker.enqueue(queue, {
        jobId: `${schedule.id}.${schedule.generation}.${slot}.${proof}`,
        jobType: 'squatter',
      });
    for (const slot of slots.slice(1)) {
      world.clock.now = slot;
      await tickSchedules(world.broker);
    }
    const stored = await world.broker.schedules.get(schedule.id);
    expect(stored.schedule).toMatchObject({ entered: 4, skipped: 0 });
    const { jobs: taken } = await world.broker.claim(queue, { worker: 'w', count: 100 });
    const own = taken.filter(({ envelope }) => envelope.jobType !== 'squatter').map((job) => job.jobId);
    expect(own.sort()).toEqual(slots.map((slot) => occurrenceJobId(stored, slot)).sort());
    await deleteSchedule(world.broker, schedule.id, BY);
  });

  it('finds its secret nowhere in what is shown of it', async () => {
    const queue = world.freshQueue();
    const { id } = await createSchedule(world.broker, request(queue), BY);
    const { secret, schedule } = await world.broker.schedules.get(id);
    expect(secret).toMatch(/^[0-9A-Z]{20}$/);
    const shown = [
      schedule,
      await world.broker.schedules.list(500),
      await world.broker.inspect.changes(queue, 100),
    ];
    expect(JSON.stringify(shown)).not.toContain(secret);
    // A change leaves it: a slot that was due keeps its id whoever enters it, and however often.
    await changeSchedule(world.broker, id, { job: { jobType: 'other' } }, BY);
    expect((await world.broker.schedules.get(id)).secret).toBe(secret);
    await deleteSchedule(world.broker, id, BY);
  });

  it('and what the fence forgot is entered under the same id, so it is there once', async () => {
    const queue = world.freshQueue();
    const { id, nextAt } = await createSchedule(world.broker, request(queue), BY);
    const before = await world.redis.hget(world.column(queue, 'occurrences'), id);
    world.clock.now = nextAt ?? 0;
    const frozen = await read(world.broker, id);
    await tickSchedules(world.broker);
    // A failover lost the fence, and not the job.
    await world.redis.hset(world.column(queue, 'occurrences'), id, before ?? '');
    await tickSchedule(world.another(), frozen.stored, frozen.now);
    expect(await drain(queue)).toEqual([occurrenceJobId(frozen.stored, nextAt ?? 0)]);
    await deleteSchedule(world.broker, id, BY);
  });
});
