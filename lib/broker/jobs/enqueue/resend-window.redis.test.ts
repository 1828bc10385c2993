/** What is sent again is recognised for the resend window, whatever became of the job meanwhile. */
import { beforeEach, describe, expect, it } from 'vitest';
import { readRaw, violations } from '@/testing/model/invariants';
import { operate } from '@/testing/worlds/operation-runs';
import {
  BY,
  claimAll,
  claimOne,
  commandsFor,
  enqueueAll,
  idMadeAt,
  jobs,
  killAll,
  setUpWorld,
} from '@/testing/worlds/world';

const WINDOW_MS = 600_000;
const JOB = { jobId: 'order-42', jobType: 'charge', payload: '{"amount":1}' };

const world = await setUpWorld();
let queue: string;
beforeEach(() => {
  queue = world.freshQueue();
});

const remembered = async () =>
  (await world.redis.hlen(world.column(queue, 'finished'))) +
  (await world.redis.hlen(world.column(queue, 'finishedBefore')));
const keep = (completedKeep: number) => world.broker.config.change(queue, { completedKeep }, BY);
const sound = async () => expect(violations(await readRaw(world.redis, world.keys, queue))).toEqual([]);
/** Time passes, with maintenance as it goes. */
async function idle(ms: number): Promise<void> {
  for (const end = world.clock.now + ms; world.clock.now < end; ) {
    world.clock.now += WINDOW_MS / 10;
    await world.broker.maintain(queue);
  }
}
/** Completes so many others that none of the earlier is among those that are kept. */
async function completeOthers(count: number): Promise<void> {
  await enqueueAll(
    world.broker,
    queue,
    Array.from({ length: count }, () => ({ jobType: 'charge' })),
  );
  const taken = await claimAll(world.broker, queue);
  for (let i = 0; i < taken.length; i += 200) await world.broker.ack(queue, taken.slice(i, i + 200));
}

describe('a job that was completed and is not kept any more', () => {
  it.each([1_000, 0])(
    'M4: is not run again when its enqueue is sent again, with completedKeep %d',
    async (kept) => {
      await keep(kept);
      await world.broker.enqueue(queue, JOB);
      const claimed = await claimOne(world.broker, queue);
      expect(await world.broker.ack(queue, [claimed])).toEqual(['completed']);
      world.clock.now += 1;
      await completeOthers(1_200);
      expect(await world.redis.hexists(world.column(queue, 'jobs'), JOB.jobId)).toBe(0);
      expect((await world.broker.enqueue(queue, JOB)).outcome).toBe('duplicate');
      // What it held is not known any more, so a conflict is none.
      expect((await world.broker.enqueue(queue, { ...JOB, payload: 'other' })).outcome).toBe('duplicate');
      expect(await claimAll(world.broker, queue)).toEqual([]);
      expect(await world.broker.inspect.ledger(queue)).toMatchObject({ difference: 0 });
      await sound();
    },
  );

  it('M4: answers its ack as it did the first time, and no other token', async () => {
    await keep(0);
    await world.broker.enqueue(queue, JOB);
    const { token } = await claimOne(world.broker, queue);
    await world.broker.ack(queue, [{ jobId: JOB.jobId, token }]);
    const ack = async (given: string) =>
      (await world.broker.ack(queue, [{ jobId: JOB.jobId, token: given }]))[0];
    expect(await ack(token)).toBe('already');
    expect(await ack(`${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`)).toBe('stale');
    const { acked } = await world.broker.exchange(queue, [{ jobId: JOB.jobId, token }], { worker: 'w' });
    expect(acked).toEqual(['already']);
  });

  it('M4: is known for the window and at most twice as long, busy or idle, and then nothing is left', async () => {
    await keep(0);
    await world.broker.enqueue(queue, JOB);
    await world.broker.ack(queue, [await claimOne(world.broker, queue)]);
    for (let passed = 0; passed <= WINDOW_MS; passed += WINDOW_MS / 5) {
      expect((await world.broker.enqueue(queue, JOB)).outcome).toBe('duplicate');
      await completeOthers(3);
      await idle(WINDOW_MS / 5);
    }
    await idle(WINDOW_MS);
    expect((await world.broker.enqueue(queue, JOB)).outcome).toBe('ready');
    await idle(3 * WINDOW_MS);
    expect(await remembered()).toBe(0);
  });

  it('M4: costs a queue nothing that keeps its jobs longer than the window', async () => {
    await keep(5);
    for (let i = 0; i < 12; i++) {
      await completeOthers(1);
      world.clock.now += WINDOW_MS / 4;
    }
    await world.broker.maintain(queue);
    expect(await remembered()).toBe(0);
  });

  it('M4: is forgotten before its time only when half a million came after it, and late resends are refused then', async () => {
    await keep(0);
    const id = idMadeAt(world.clock.now);
    await world.broker.enqueue(queue, { jobType: 'charge', jobId: id });
    await completeOthers(0);
    const key = world.column(queue, 'finished');
    await world.redis.eval("for i = 1, 500000 do redis.call('HSET', KEYS[1], 'x' .. i, '-') end", 1, key);
    // Each full generation pushes out the one before.
    for (let i = 0; i < 2; i++) {
      world.clock.now += 1_000;
      await completeOthers(1);
      await world.redis.eval("for i = 1, 500000 do redis.call('HSET', KEYS[1], 'y' .. i, '-') end", 1, key);
    }
    expect(await remembered()).toBeLessThanOrEqual(1_000_010);
    expect(await world.redis.hexists(world.column(queue, 'finishedBefore'), id)).toBe(0);
    const resend = world.broker.enqueue(queue, { jobType: 'charge', jobId: id });
    await expect(resend).rejects.toMatchObject({ code: 'RESEND_TOO_LATE' });
  });
});

describe('a job that left in another way', () => {
  const LEAVES: Record<string, () => Promise<unknown>> = {
    'deleted by a person': () => world.broker.remove(queue, [JOB.jobId], BY),
    'deleted by an operation': () => operate(world.broker, { kind: 'delete', q: `id:${JOB.jobId}`, queue }),
    'purged, its grace over': async () => {
      await world.broker.config.change(queue, { trashGraceMs: 0 }, BY);
      await world.broker.purge(queue, [JOB.jobId], BY);
      await world.broker.maintain(queue);
    },
    'dead for as long as the dead are kept': async () => {
      await world.broker.config.change(queue, { deadKeepMs: 60_000 }, BY);
      world.clock.now += 60_000;
      await world.broker.maintain(queue);
    },
    'moved to another queue': async () => {
      const target = world.freshQueue();
      await enqueueAll(world.broker, target, jobs(1));
      await operate(world.broker, { kind: 'move', q: `id:${JOB.jobId}`, queue, target });
    },
  };
  it.each(Object.keys(LEAVES))('M4: %s: is not entered again by a resend', async (how) => {
    await killAll(world.broker, queue, [JOB]);
    await LEAVES[how]?.();
    expect(await world.redis.hexists(world.column(queue, 'jobs'), JOB.jobId)).toBe(0);
    expect((await world.broker.enqueue(queue, JOB)).outcome).toBe('duplicate');
    expect(await claimAll(world.broker, queue)).toEqual([]);
    await sound();
  });
});

describe('an id that carries its time', () => {
  const job = (madeAt: number) => ({ jobType: 'charge', jobId: idMadeAt(madeAt) });

  it('M4: is refused when it is older than what is remembered, and says why; younger ones come in', async () => {
    // Ids of one process never go back in time.
    const old = job(world.clock.now);
    world.clock.now += WINDOW_MS + 1;
    await expect(world.broker.enqueue(queue, old)).rejects.toMatchObject({
      code: 'RESEND_TOO_LATE',
      message: expect.stringMatching(/resendWindowMs.*new id.*clock/),
    });
    const young = job(world.clock.now - WINDOW_MS + 1_000);
    expect((await world.broker.enqueueMany(queue, [old, young])).map(({ outcome }) => outcome)).toEqual([
      'too-late',
      'ready',
    ]);
    // A longer window brings back nothing that was forgotten.
    await world.broker.config.change(queue, { resendWindowMs: 2 * WINDOW_MS }, BY);
    await expect(world.broker.enqueue(queue, old)).rejects.toMatchObject({ code: 'RESEND_TOO_LATE' });
  });

  it('M4: is found as long as its job is there, however old it is: one scheduled for next week, completed then', async () => {
    const later = { ...job(world.clock.now), delayMs: 7 * 86_400_000 };
    expect((await world.broker.enqueue(queue, later)).outcome).toBe('scheduled');
    world.clock.now += 7 * 86_400_000;
    expect((await world.broker.enqueue(queue, later)).outcome).toBe('duplicate');
    await keep(0);
    await world.broker.ack(queue, [await claimOne(world.broker, queue)]);
    expect((await world.broker.enqueue(queue, later)).outcome).toBe('duplicate');
    await idle(2 * WINDOW_MS);
    await expect(world.broker.enqueue(queue, later)).rejects.toMatchObject({ code: 'RESEND_TOO_LATE' });
  });

  it.each([-86_400_000, 86_400_000])(
    'M4: counts by the clock of its producer: fresh jobs of one that is %d ms off come in',
    async (offMs) => {
      const clock = { now: Date.now() };
      const server = world.another();
      const redisIs = world.clock.now;
      // A producer has no say in Redis's clock, and Redis has none in its: here Redis's is the one that is off.
      world.clock.now = clock.now + offMs;
      expect((await server.enqueue(queue, { jobType: 'a' })).outcome).toBe('ready');
      expect((await server.enqueue(queue, job(world.clock.now))).outcome).toBe('ready');
      world.clock.now = redisIs;
    },
  );
});

describe('M4: an id that a job of another tenant had', () => {
  const ofTenant = (tenantId: string) => ({ jobType: 'a', jobId: 'order-7', tenantId, payload: '{}' });
  const claimAndAck = async () => world.broker.ack(queue, [await claimOne(world.broker, queue)]);

  it.each<[string, () => Promise<unknown>]>([
    ['completed and not kept', claimAndAck],
    ['deleted by a person', () => world.broker.remove(queue, ['order-7'], BY)],
  ])(
    'M4: hides no job: of one %s, the next is a conflict, and its own resend a duplicate',
    async (_, end) => {
      await keep(0);
      for (const [mine, other] of [
        ['acme', 'default'],
        ['default', 'acme'],
      ] as const) {
        queue = world.freshQueue();
        await keep(0);
        await world.broker.enqueue(queue, ofTenant(mine));
        await end();
        await expect(world.broker.enqueue(queue, ofTenant(other))).rejects.toMatchObject({
          code: 'ID_CONFLICT',
        });
        expect((await world.broker.enqueue(queue, ofTenant(mine))).outcome).toBe('duplicate');
        await sound();
      }
    },
  );

  it('M4: an ack sent again for it is known by its token', async () => {
    await keep(0);
    await world.broker.enqueue(queue, ofTenant('acme'));
    const claimed = await claimOne(world.broker, queue);
    expect(await world.broker.ack(queue, [claimed])).toEqual(['completed']);
    expect(await world.broker.ack(queue, [claimed])).toEqual(['already']);
  });

  it('M4: who ran it is shown without it', async () => {
    await world.broker.enqueue(queue, ofTenant('acme'));
    await claimAndAck();
    expect((await world.broker.inspect.job(queue, 'order-7')).result?.worker).not.toContain('@');
  });
});

it('M4: an id that was made for the call costs no look at those that left', async () => {
  await keep(0);
  await completeOthers(300);
  const own = () => world.broker.enqueueMany(queue, [{ jobType: 'a', jobId: idMadeAt(world.clock.now) }]);
  const made = () => world.broker.enqueueMany(queue, [{ jobType: 'a' }]);
  await own();
  expect(await commandsFor(world.redis, own)).toBeGreaterThan(await commandsFor(world.redis, made));
});
