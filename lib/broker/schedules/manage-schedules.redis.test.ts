/** What schedules do when nothing goes wrong, and what they refuse. */
import { describe, expect, it } from 'vitest';
import { QUOTAS } from '@/lib/contract/access/quotas';
import { NAME_PATTERN } from '@/lib/contract/name-pattern';
import type { ScheduleRequest } from '@/lib/contract/schedules/schedule-schemas';
import { readRaw, violations } from '@/testing/model/invariants';
import { BY, claimAll, openWorld, START, setUpWorld } from '@/testing/worlds/world';
import {
  changeSchedule,
  createSchedule,
  deleteSchedule,
  pauseSchedule,
  previewSchedule,
  resumeSchedule,
  runSchedule,
  tickSchedules,
} from '.';

const world = await setUpWorld();

const MINUTE = 60_000;
let ids = 0;
const request = (rest: Partial<ScheduleRequest> = {}): ScheduleRequest => ({
  id: `job-${++ids}`,
  queue: world.freshQueue(),
  timing: { everyMs: MINUTE },
  job: { jobType: 'demo', tenantId: 'acme', priority: 5, payload: '{"n":9007199254740993}' },
  ...rest,
});
const make = (rest: Partial<ScheduleRequest> = {}) => createSchedule(world.broker, request(rest), BY);
const get = async (id: string) => (await world.broker.schedules.get(id)).schedule;
const tick = () => tickSchedules(world.broker);
const claim = (queue: string) => claimAll(world.broker, queue);
const slots = (jobs: { jobId: string }[]) => jobs.map(({ jobId }) => Number(jobId.split('.').at(-2)));

describe('a schedule', () => {
  it('enters jobs as they were described, which know their slot', async () => {
    const schedule = await make({ id: 'nightly.report' });
    expect(schedule).toMatchObject({
      generation: expect.any(Number),
      nextAt: START + MINUTE,
      last: null,
      entered: 0,
    });
    expect(await tick()).toMatchObject({ occurrences: 0, nextAt: START + MINUTE, failures: [] });
    world.clock.now = START + MINUTE + 700;
    expect(await tick()).toMatchObject({ occurrences: 1, nextAt: START + 2 * MINUTE });
    const [job] = await claim(schedule.queue);
    expect(job?.jobId).toMatch(
      new RegExp(`^nightly\\.report\\.${schedule.generation}\\.${START + MINUTE}\\.[0-9A-Z]{12}$`),
    );
    expect(job?.payload.toString()).toBe('{"n":9007199254740993}');
    expect(job?.envelope).toMatchObject({
      jobType: 'demo',
      tenantId: 'acme',
      priority: 5,
      maxAttempts: 8,
      idempotencyKey: 'nightly.report@2026-01-01T00:01:00.000Z',
    });
    expect(await world.broker.inspect.queues()).toContain(schedule.queue);
    expect(violations(await readRaw(world.redis, world.keys, schedule.queue))).toEqual([]);
    await deleteSchedule(world.broker, schedule.id, BY);
  });

  it('has slots of its own making, not of when it was ticked', async () => {
    world.clock.now = START + 123;
    const schedule = await make({ timing: { cron: '*/5 * * * *', timeZone: 'Europe/Berlin' } });
    const entered: number[] = [];
    // Ticked later and later, never in time; still no slot drifts and none is lost.
    for (let turn = 1; turn <= 6; turn++) {
      world.clock.now = START + turn * 5 * MINUTE + turn * 4_000;
      await tick();
      entered.push(...slots(await claim(schedule.queue)));
    }
    expect(entered).toEqual([1, 2, 3, 4, 5, 6].map((n) => START + n * 5 * MINUTE));
    await deleteSchedule(world.broker, schedule.id, BY);
  });

  it('with an id as long as ids may be makes job ids that are ids', async () => {
    const id = 'x'.repeat(100);
    const twin = `${'x'.repeat(99)}y`;
    const queue = world.freshQueue();
    world.clock.now = START;
    await make({ id, queue });
    await make({ id: twin, queue });
    world.clock.now = START + MINUTE;
    await tick();
    await runSchedule(world.broker, id, { ...BY, requestId: 'once' });
    const jobs = await claim(queue);
    expect(jobs).toHaveLength(3);
    for (const { jobId } of jobs) expect(jobId).toMatch(NAME_PATTERN);
    expect(new Set(jobs.map(({ jobId }) => jobId)).size).toBe(3);
    await deleteSchedule(world.broker, id, BY);
    await deleteSchedule(world.broker, twin, BY);
  });

  it('ends at its end, and can be given a later one', async () => {
    world.clock.now = START;
    const schedule = await make({ startAt: START + 2 * MINUTE, endAt: START + 3 * MINUTE });
    expect(schedule.nextAt).toBe(START + 2 * MINUTE);
    world.clock.now = START + 3 * MINUTE + 10;
    await tick();
    await tick();
    expect(slots(await claim(schedule.queue))).toEqual([START + 2 * MINUTE, START + 3 * MINUTE]);
    expect(await get(schedule.id)).toMatchObject({ nextAt: null, entered: 2 });
    world.clock.now = START + 10 * MINUTE;
    expect(await changeSchedule(world.broker, schedule.id, { endAt: null }, BY)).toMatchObject({
      nextAt: START + 11 * MINUTE,
    });
    await deleteSchedule(world.broker, schedule.id, BY);
  });
});

describe('slots that passed while nobody ticked', () => {
  it.each([
    ['skip', [60], 59],
    ['one', [59, 60], 58],
    ['all', Array.from({ length: 60 }, (_, i) => i + 1), 0],
  ] as const)('%s', async (missed, made, skipped) => {
    world.clock.now = START;
    const schedule = await make({ missed });
    world.clock.now = START + 60 * MINUTE;
    await Promise.all([tick(), tickSchedules(world.another())]);
    await tick();
    expect(slots(await claim(schedule.queue))).toEqual(made.map((n) => START + n * MINUTE));
    expect(await get(schedule.id)).toMatchObject({
      entered: made.length,
      skipped,
      nextAt: START + 61 * MINUTE,
      last: { fireTime: START + 60 * MINUTE, outcome: 'entered' },
    });
    await deleteSchedule(world.broker, schedule.id, BY);
  });

  it('skip: says so when none was made up for', async () => {
    world.clock.now = START;
    const schedule = await make({ missed: 'skip', timing: { everyMs: 60 * MINUTE } });
    world.clock.now = START + 150 * MINUTE;
    await tick();
    expect(await claim(schedule.queue)).toEqual([]);
    expect(await get(schedule.id)).toMatchObject({
      entered: 0,
      skipped: 2,
      last: { fireTime: START + 120 * MINUTE, outcome: 'missed', jobId: null },
    });
    await deleteSchedule(world.broker, schedule.id, BY);
  });

  it('all, and very many with a large payload: the newest thousand, in calls of bounded size, by rivals', async () => {
    world.clock.now = START;
    const payload = 'x'.repeat(20_000);
    const schedule = await make({
      missed: 'all',
      timing: { everyMs: 1_000 },
      job: { jobType: 'demo', payload },
    });
    world.clock.now = START + 1_500_000;
    await Promise.all([tick(), tickSchedules(world.another()), tickSchedules(world.another())]);
    for (let i = 0; i < 5; i++) await tick();
    const ledger = await world.broker.inspect.ledger(schedule.queue);
    expect(ledger).toMatchObject({ enqueued: 1_000, difference: 0 });
    expect(await get(schedule.id)).toMatchObject({ entered: 1_000, skipped: 500, nextAt: START + 1_501_000 });
    await deleteSchedule(world.broker, schedule.id, BY);
  });
});

describe('a slot whose job may not come in', () => {
  it('overlap skip: waits for the job before, in whatever state it is still to be done', async () => {
    world.clock.now = START;
    const schedule = await make({ overlap: 'skip' });
    const at = (n: number) => START + n * MINUTE;
    const outcomeAt = async (n: number) => {
      world.clock.now = at(n);
      await tick();
      return (await get(schedule.id)).last;
    };
    expect(await outcomeAt(1)).toMatchObject({ fireTime: at(1), outcome: 'entered' });
    const first = (await get(schedule.id)).last?.jobId;
    // Ready, in flight, to be retried: all the same.
    expect(await outcomeAt(2)).toEqual({ fireTime: at(2), outcome: 'overlap', jobId: first });
    const [held] = (await world.broker.claim(schedule.queue, { worker: 'w', leaseMs: 10 * MINUTE })).jobs;
    if (!held) throw new Error('a job is ready');
    expect(await outcomeAt(3)).toMatchObject({ outcome: 'overlap' });
    await world.broker.fail(schedule.queue, [
      { ...held, failure: { errorClass: 'retryable', errorCode: 'X', message: 'm', retryInMs: 10 * MINUTE } },
    ]);
    expect(await outcomeAt(4)).toMatchObject({ outcome: 'overlap' });
    await world.broker.cancel(schedule.queue, [held.jobId], BY);
    expect(await outcomeAt(5)).toMatchObject({ fireTime: at(5), outcome: 'entered' });
    expect(await get(schedule.id)).toMatchObject({ entered: 2, skipped: 3 });
    await deleteSchedule(world.broker, schedule.id, BY);
  });

  it('draining or full: is counted as skipped, and later ones come in again', async () => {
    world.clock.now = START;
    const schedule = await make();
    const { queue, id } = schedule;
    await world.broker.drain(queue, { reason: 'a test' }, BY);
    world.clock.now = START + MINUTE;
    await tick();
    expect(await get(id)).toMatchObject({
      entered: 0,
      skipped: 1,
      last: { outcome: 'refused', jobId: null },
    });
    await expect(runSchedule(world.broker, id, BY)).rejects.toMatchObject({ code: 'QUEUE_DRAINING' });
    await world.broker.drain(queue, { draining: false, reason: 'a test' }, BY);
    await world.broker.config.change(queue, { depthLimit: 1 }, BY);
    for (const n of [2, 3]) {
      world.clock.now = START + n * MINUTE;
      await tick();
    }
    expect(await get(id)).toMatchObject({ entered: 1, skipped: 2, last: { outcome: 'refused' } });
    expect(slots(await claim(queue))).toEqual([START + 2 * MINUTE]);
    world.clock.now = START + 4 * MINUTE;
    await tick();
    expect(slots(await claim(queue))).toEqual([START + 4 * MINUTE]);
    await deleteSchedule(world.broker, id, BY);
  });

  it('a Redis that is full: nothing is lost, and the slot comes in when there is room', async () => {
    world.clock.now = START;
    const schedule = await make();
    world.clock.now = START + MINUTE;
    await world.redis.config('SET', 'maxmemory', '1');
    try {
      expect((await tick()).failures).toMatchObject([{ id: schedule.id, error: { code: 'REDIS_FULL' } }]);
      // Stopping it works just then.
      const other = await get(schedule.id);
      expect(await pauseSchedule(world.broker, other.id, BY)).toMatchObject({ paused: true });
      expect(await resumeSchedule(world.broker, other.id, BY)).toMatchObject({ nextAt: START + 2 * MINUTE });
    } finally {
      await world.redis.config('SET', 'maxmemory', '0');
    }
    world.clock.now = START + 2 * MINUTE;
    await tick();
    expect(slots(await claim(schedule.queue))).toEqual([START + 2 * MINUTE]);
    await deleteSchedule(world.broker, schedule.id, BY);
  });

  it('a queue that cannot be entered keeps no other schedule from its turn', async () => {
    world.clock.now = START;
    const [broken, sound] = [await make(), await make()];
    await world.redis.set(world.column(broken.queue, 'ready'), 'not a sorted set');
    world.clock.now = START + MINUTE;
    expect((await tick()).failures.map(({ id }) => id)).toEqual([broken.id]);
    expect(await claim(sound.queue)).toHaveLength(1);
    await world.redis.del(world.column(broken.queue, 'ready'));
    // Out of the way for a minute, so that it does not take a place in every turn.
    expect((await tick()).failures).toEqual([]);
    world.clock.now = START + 2 * MINUTE + 1;
    await tick();
    expect(slots(await claim(broken.queue))).toEqual([START + MINUTE, START + 2 * MINUTE]);
    for (const { id } of [broken, sound]) await deleteSchedule(world.broker, id, BY);
  });
});

describe('run now', () => {
  it('enters a job outside the slots, once a request, of a paused schedule too', async () => {
    world.clock.now = START;
    const schedule = await make();
    await pauseSchedule(world.broker, schedule.id, BY);
    const by = { ...BY, requestId: 'click-1' };
    const first = await runSchedule(world.broker, schedule.id, by);
    expect(first.outcome).toBe('ready');
    expect(await runSchedule(world.broker, schedule.id, by)).toEqual({ ...first, outcome: 'duplicate' });
    expect((await runSchedule(world.broker, schedule.id, BY)).jobId).not.toBe(first.jobId);
    expect((await claim(schedule.queue)).map(({ payload }) => payload.toString())).toEqual(
      Array(2).fill('{"n":9007199254740993}'),
    );
    expect(await get(schedule.id)).toMatchObject({ entered: 0, skipped: 0 });
    await deleteSchedule(world.broker, schedule.id, BY);
  });
});

describe('making and changing', () => {
  it('sent again finds what it made; another of that id is refused', async () => {
    world.clock.now = START;
    const input = request();
    const made = await createSchedule(world.broker, input, { ...BY, requestId: 'r1' });
    expect(await createSchedule(world.broker, input, { ...BY, requestId: 'r1' })).toEqual(made);
    for (const requestId of ['r2', undefined])
      await expect(createSchedule(world.broker, input, { ...BY, requestId })).rejects.toMatchObject({
        code: 'SCHEDULE_EXISTS',
        fields: [{ field: 'id' }],
      });
    await deleteSchedule(world.broker, made.id, BY);
  });

  it('changes what is given and nothing else, and enters who and why in the record of the queue', async () => {
    world.clock.now = START;
    const made = await make({ missed: 'all', overlap: 'skip', startAt: START });
    expect(await changeSchedule(world.broker, made.id, { missed: 'all' }, BY)).toEqual(made);
    world.clock.now = START + 30_000;
    const job = {
      jobType: 'other',
      jobVersion: 2,
      tenantId: 't',
      priority: 0,
      maxAttempts: 3,
      timeoutMs: 5,
      payload: 'p',
    };
    const changed = await changeSchedule(
      world.broker,
      made.id,
      { job, reason: 'a better job' },
      { actor: 'ana' },
    );
    expect(changed).toEqual({
      ...made,
      job,
      generation: changed.generation,
      updatedAt: START + 30_000,
      maker: 'ana',
      actor: 'ana',
      reason: 'a better job',
    });
    expect(await get(made.id)).toEqual(changed);
    const [latest] = await world.broker.inspect.changes(made.queue, 1);
    expect(latest).toMatchObject({ what: 'schedule', actor: 'ana', reason: 'a better job' });
    expect(latest?.after).toContain('"payload":"1 bytes"');
    await deleteSchedule(world.broker, made.id, BY);
  });

  it('new times begin now; what was due by the old ones is entered by them', async () => {
    world.clock.now = START;
    const made = await make();
    world.clock.now = START + MINUTE + 5_000;
    const changed = await changeSchedule(
      world.broker,
      made.id,
      { timing: { everyMs: 10_000, anchor: 0 } },
      BY,
    );
    expect(changed).toMatchObject({ nextAt: START + 70_000, entered: 1 });
    expect(slots(await claim(made.queue))).toEqual([START + MINUTE]);
    await deleteSchedule(world.broker, made.id, BY);
  });

  it.each([
    ['timing.cron', { timing: { cron: '0 0 30 2 *' } }],
    ['timing.cron', { timing: { cron: '61 * * * *' } }],
    ['timing.timeZone', { timing: { cron: '0 0 * * *', timeZone: 'Mars/Base' } }],
    ['timing.everyMs', { timing: { everyMs: 999 } }],
    ['endAt', { endAt: START - 1 }],
    ['endAt', { startAt: START + 10, endAt: START + 9 }],
    ['endAt', { startAt: START + 10, endAt: START + 20 }],
    ['startAt', { startAt: 1_795_182_102_726_000 }],
    ['job.jobType', { job: { jobType: 'a b' } }],
    ['queue', { queue: 'a:b' }],
    ['job.payload', { job: { jobType: 'a', payload: 'ü'.repeat(40_000) } }],
  ] as const)('refuses a wrong %s, and stores nothing', async (field, rest) => {
    world.clock.now = START;
    const input = request(rest as Partial<ScheduleRequest>);
    await expect(createSchedule(world.broker, input, BY)).rejects.toMatchObject({
      code: expect.stringMatching(/^(VALIDATION|PAYLOAD_TOO_LARGE)$/),
      fields: expect.arrayContaining([expect.objectContaining({ field })]),
    });
    await expect(world.broker.schedules.get(input.id)).rejects.toMatchObject({ code: 'SCHEDULE_NOT_FOUND' });
    const kept = await make();
    if ('id' in rest) return;
    const before = await get(kept.id);
    await expect(
      changeSchedule(world.broker, kept.id, rest as Partial<ScheduleRequest>, BY),
    ).rejects.toMatchObject({ fields: expect.arrayContaining([expect.objectContaining({ field })]) });
    expect(await get(kept.id)).toEqual(before);
    await deleteSchedule(world.broker, kept.id, BY);
  });

  it('of what does not exist is refused', async () => {
    for (const call of [
      () => changeSchedule(world.broker, 'nobody', { missed: 'all' }, BY),
      () => deleteSchedule(world.broker, 'nobody', BY),
      () => runSchedule(world.broker, 'nobody', BY),
      () => resumeSchedule(world.broker, 'nobody', BY),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'SCHEDULE_NOT_FOUND', fields: [{ field: 'id' }] });
  });

  it('resuming one that has no slot left says so', async () => {
    world.clock.now = START;
    const made = await make({ endAt: START + MINUTE });
    await pauseSchedule(world.broker, made.id, BY);
    world.clock.now = START + 2 * MINUTE;
    await expect(resumeSchedule(world.broker, made.id, BY)).rejects.toMatchObject({
      fields: [{ field: 'endAt' }],
    });
    await deleteSchedule(world.broker, made.id, BY);
  });
});

describe('the list', () => {
  it('is by id, in pages, without payloads, and takes at most a thousand', async () => {
    const fresh = await openWorld();
    try {
      const input = (i: number): ScheduleRequest => ({
        id: `s${String(i).padStart(4, '0')}`,
        queue: 'q',
        timing: { cron: '0 9 * * *' },
        job: { jobType: 'demo', payload: 'y'.repeat(i % 7) },
      });
      for (let i = 0; i < QUOTAS.schedules.total; i++) await createSchedule(fresh.broker, input(i), BY);
      await expect(createSchedule(fresh.broker, input(QUOTAS.schedules.total), BY)).rejects.toMatchObject({
        code: 'LIMIT_REACHED',
      });
      await pauseSchedule(fresh.broker, 's0003', BY);
      const all: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await fresh.broker.schedules.list(400, cursor);
        expect(page.total).toBe(QUOTAS.schedules.total);
        all.push(...page.schedules.map(({ id }) => id));
        cursor = page.nextCursor ?? undefined;
      } while (cursor);
      expect(all).toEqual(Array.from({ length: QUOTAS.schedules.total }, (_, i) => input(i).id));
      const [first] = (await fresh.broker.schedules.list(1, 's0002')).schedules;
      expect(first).toMatchObject({ id: 's0003', paused: true, nextAt: null, job: { payloadBytes: 3 } });
      expect(first?.job).not.toHaveProperty('payload');
      // All due at one moment: a turn takes what it may and says that there is more.
      fresh.clock.now = Date.UTC(2026, 0, 1, 9);
      let turns = 0;
      for (let nextAt: number | null = 0; nextAt !== null && nextAt <= fresh.clock.now; turns++)
        nextAt = (await tickSchedules(fresh.broker)).nextAt;
      expect(turns).toBeGreaterThanOrEqual(10);
      expect(await fresh.broker.inspect.ledger('q')).toMatchObject({
        enqueued: QUOTAS.schedules.total - 1,
        difference: 0,
      });
      await deleteSchedule(fresh.broker, 's0500', BY);
      await createSchedule(fresh.broker, input(QUOTAS.schedules.total), BY);
    } finally {
      await fresh.close();
    }
  });

  it('is not kept from showing the others by a record that cannot be read', async () => {
    world.clock.now = START;
    const made = await make();
    await world.redis.hset(world.keys.global('schedulesRecords'), 'broken', 'not a record');
    await world.redis.zadd(world.keys.global('schedulesDue'), 0, 'broken', 0, 'gone');
    expect((await world.broker.schedules.list(500)).schedules.map(({ id }) => id)).toContain(made.id);
    world.clock.now = START + MINUTE;
    expect((await tick()).failures).toMatchObject([{ id: 'broken', error: { message: /cannot be read/ } }]);
    expect(await claim(made.queue)).toHaveLength(1);
    await world.redis.hdel(world.keys.global('schedulesRecords'), 'broken');
    await world.redis.zrem(world.keys.global('schedulesDue'), 'broken');
    await deleteSchedule(world.broker, made.id, BY);
  });
});

it('a preview shows the next fire times and the change of clocks among them', () => {
  const now = Date.UTC(2026, 2, 28, 12);
  const { fireTimes, clockChange } = previewSchedule(
    { timing: { cron: '30 2 * * *', timeZone: 'Europe/Berlin' }, count: 3 },
    now,
  );
  expect(fireTimes.map((time) => new Date(time).toISOString())).toEqual([
    '2026-03-29T01:00:00.000Z',
    '2026-03-30T00:30:00.000Z',
    '2026-03-31T00:30:00.000Z',
  ]);
  expect(clockChange).toEqual({
    at: Date.parse('2026-03-29T01:00:00Z'),
    offsetBeforeMs: 3_600_000,
    offsetAfterMs: 7_200_000,
  });
  expect(previewSchedule({ timing: { everyMs: 5_000 }, count: 2 }, now)).toEqual({
    at: now,
    fireTimes: [now + 5_000, now + 10_000],
    clockChange: null,
  });
});
