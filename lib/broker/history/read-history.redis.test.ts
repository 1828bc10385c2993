/** The past of queues as charts read it, and of all queues together. */
import { describe, expect, it } from 'vitest';
import { POINTS_MAX } from '@/lib/contract/history/history-ranges';
import { operate } from '@/testing/worlds/operation-runs';
import { BY, claimAll, enqueueAll, jobs, killAll, START, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();
const MINUTE_MS = 60_000;
const HOUR = { from: START, to: START + 60 * MINUTE_MS };
const at = (minute: number, ms = 0) => {
  world.clock.now = START + minute * MINUTE_MS + ms;
};

describe('the history', () => {
  it('of a queue: whole minutes up to the last, percentiles of its runs and waits, and what users changed', async () => {
    const queue = world.freshQueue();
    at(0);
    await enqueueAll(world.broker, queue, jobs(20));
    at(0, 400);
    const taken = await claimAll(world.broker, queue);
    at(0, 2_400);
    await world.broker.ack(
      queue,
      taken.slice(0, 15).map(({ jobId, token }) => ({ jobId, token })),
    );
    await world.broker.pause(queue, { scope: 'queue', reason: BY.reason }, BY);
    at(1, 5_000);
    await world.broker.maintain(queue);
    for (const minute of [2, 3]) {
      at(minute, 5_000);
      await world.broker.maintain(queue);
    }
    const history = await world.broker.inspect.history([queue], HOUR);
    expect([history.from, history.to, history.stepMs]).toEqual([START, START + 3 * MINUTE_MS, MINUTE_MS]);
    expect(history.counts.arrivals).toEqual([20, 0, 0]);
    expect(history.counts.completed).toEqual([15, 0, 0]);
    expect(history.counts.lost).toEqual([0, 5, 0]);
    expect(history.depth.ready).toEqual([5, 5, 5]);
    expect(history.run.p95[0]).toBeGreaterThan(1_000);
    expect(history.run.p95[0]).toBeLessThanOrEqual(2_500);
    expect(history.wait.p50[0]).toBeGreaterThan(250);
    expect(history.wait.p50[0]).toBeLessThanOrEqual(500);
    expect(history.run.p50[2]).toBeNull();
    expect(history.busiest).toEqual([]);
    expect(await world.broker.inspect.marks([queue], HOUR)).toMatchObject([
      { kind: 'pause', text: `${queue}: Paused by tester` },
    ]);
  });

  it('has the marks of its whole range, however many changes came after it', async () => {
    const [queue, calm] = [world.freshQueue(), world.freshQueue()];
    at(5);
    for (const one of [queue, calm]) await world.broker.pause(one, { scope: 'queue', reason: 'a test' }, BY);
    at(30);
    for (let n = 0; n < 130; n++) {
      await world.broker.resume(queue, 'queue', BY);
      await world.broker.pause(queue, { scope: 'queue', reason: 'a test' }, BY);
    }
    const early = { from: START, to: START + 10 * MINUTE_MS };
    const marks = await world.broker.inspect.marks([queue, calm], early);
    expect(marks.map(({ text }) => text).sort()).toEqual(
      [`${queue}: Paused by tester`, `${calm}: Paused by tester`].sort(),
    );
    // The newest where there are more than a chart shows.
    const all = await world.broker.inspect.marks([queue, calm], HOUR);
    expect([all.length, all.at(0)?.at]).toEqual([100, START + 30 * MINUTE_MS]);
  });

  it('has marks that say what was paused, which operation it was and how many jobs it took', async () => {
    const queue = world.freshQueue();
    at(5);
    await world.broker.pause(queue, { scope: 'tenant:acme', reason: 'a test' }, BY);
    await world.broker.resume(queue, 'tenant:acme', BY);
    await world.broker.config.change(queue, { depthLimit: 50 }, BY);
    await killAll(world.broker, queue, jobs(3));
    await operate(world.broker, { kind: 'redrive', q: `queue:${queue}` });
    const marks = await world.broker.inspect.marks([queue], HOUR);
    expect(marks.map(({ kind, text }) => `${kind} ${text.replace(`${queue}: `, '')}`)).toEqual([
      'pause Paused tenant acme by tester',
      'pause Resumed tenant acme by tester',
      'settings Settings changed by tester',
      'operation Re-drive ended, 3 jobs by tester',
    ]);
  });

  it('of a type or tenant is there in a short range, too, where the busiest have long been the same', async () => {
    const queue = world.freshQueue();
    const HOURS = 2;
    for (let block = 0; block < HOURS * 6; block++) {
      at(10 * block);
      await enqueueAll(world.broker, queue, jobs(2, 2 * block, { jobType: 'pay', tenantId: 'acme' }));
      const taken = await claimAll(world.broker, queue);
      await world.broker.ack(
        queue,
        taken.map(({ jobId, token }) => ({ jobId, token })),
      );
      at(10 * (block + 1));
      await world.broker.maintain(queue);
    }
    const range = { from: START + 90 * MINUTE_MS, to: START + HOURS * 60 * MINUTE_MS };
    const read = (only?: { kind: 'tenant' | 'type'; name: string }) =>
      world.broker.inspect.history([queue], range, only);
    const { busiest } = await read();
    expect(busiest.map(({ kind, name, claimed }) => [kind, name, claimed])).toEqual([
      ['tenant', 'acme', 6],
      ['type', 'pay', 6],
    ]);
    expect((await read({ kind: 'tenant', name: 'acme' })).claimed).toEqual([2, 2, 2]);
    expect((await read({ kind: 'type', name: 'pay' })).claimed).toEqual([2, 2, 2]);
  });

  it('of 24 hours is made of minutes, and of ten minutes only where these are gone', async () => {
    const queue = world.freshQueue();
    at(2_000, 30_000);
    const to = START + 2_000 * MINUTE_MS;
    const stepOf = async (minutes: number) =>
      (await world.broker.inspect.history([queue], { from: to - minutes * MINUTE_MS, to })).stepMs /
      MINUTE_MS;
    expect([await stepOf(60), await stepOf(1_440), await stepOf(1_440 + 61)]).toEqual([1, 5, 10]);
  });

  it('of seven days has at most 720 points', async () => {
    const queue = world.freshQueue();
    at(10_080);
    for (const minutes of [15, 60, 360, 1_440, 4_320, 10_080]) {
      const to = world.clock.now;
      const history = await world.broker.inspect.history([queue], { from: to - minutes * MINUTE_MS, to });
      expect(history.depth.ready.length).toBeLessThanOrEqual(POINTS_MAX);
      expect(history.depth.ready.length).toBeGreaterThanOrEqual(14);
    }
  });
});

describe('the history of all queues', () => {
  it('is added up once by the console that comes first, is made up for an hour at most, and has gaps before', async () => {
    const [one, other] = [world.freshQueue(), world.freshQueue()];
    const queues = [one, other];
    const consoles = [world.broker, world.another(), world.another()];
    const upkeep = async () => {
      for (const queue of queues) await world.broker.maintain(queue);
      for (let call = 0; call < 15; call++)
        await Promise.all(consoles.map((broker) => broker.foldAllQueues(queues)));
    };
    at(20_000);
    await enqueueAll(world.broker, one, jobs(3));
    await enqueueAll(world.broker, other, jobs(4));
    at(20_001, 20_000);
    await upkeep();
    at(20_001, 30_000);
    await enqueueAll(world.broker, one, jobs(2, 3));
    at(20_002, 20_000);
    await upkeep();
    const from = START + 20_000 * MINUTE_MS;
    const first = await world.broker.inspect.history(null, { from, to: from + 60 * MINUTE_MS });
    expect(first.counts.arrivals).toEqual([7, 2]);
    expect(first.depth.ready).toEqual([7, 9]);
    expect(first.workers).toEqual([0, 0]);
    // No console for two hours.
    at(20_122, 20_000);
    await upkeep();
    const later = await world.broker.inspect.history(null, { from, to: from + 180 * MINUTE_MS });
    expect(later.depth.ready.length).toBe(122);
    expect(later.depth.ready.slice(0, 4)).toEqual([7, 9, null, null]);
    expect(later.depth.ready.filter((value) => value === null).length).toBe(60);
    expect(later.depth.ready.at(-1)).toBe(9);
  });

  it('has about the newest thousand deploys, in order also when the clock goes back', async () => {
    at(20);
    const mark = (text: string, id?: string) =>
      world.broker.marks.add({ kind: 'deploy', text, queues: ['one', 'two'] }, BY, id);
    for (let n = 0; n < 1_055; n++) await mark(`n${n}`, `id-${n}`);
    at(19);
    const last = await mark('last');
    expect(last.at).toBe(START + 20 * MINUTE_MS);
    expect(await mark('n1050', 'id-1050')).toMatchObject({ at: last.at });
    await expect(mark('another', 'id-1050')).rejects.toMatchObject({ code: 'ID_CONFLICT' });
    expect(await world.redis.xlen(world.keys.global('queuesMarks'))).toBe(1_005);
    const marks = await world.broker.inspect.marks(['two'], HOUR);
    expect([marks.length, marks.at(-1)?.text]).toEqual([100, 'Deploy: last by tester']);
    expect(await world.broker.inspect.marks(['three'], HOUR)).toEqual([]);
  });

  it('keeps the deploys of everybody else when one user marks a thousand', async () => {
    at(20);
    const by = (actor: string) => ({ ...BY, actor, actorId: `token:${actor}`, ownerId: `local:${actor}` });
    const mark = (queue: string, actor: string, text: string) =>
      world.broker.marks.add({ kind: 'deploy', text, queues: [queue] }, by(actor));
    for (const n of [1, 2, 3]) await mark('qb', 'ben', `release ${n}`);
    await mark('qa', 'ben', 'both');
    for (let n = 0; n < 1_100; n++) await mark('qa', 'greedy', 'x');
    const shown = async (queues: string[]) =>
      (await world.broker.inspect.marks(queues, HOUR)).map(({ text }) => text);
    const own = [1, 2, 3].map((n) => `Deploy: release ${n} by ben`);
    expect(await shown(['qb'])).toEqual(own);
    // Nor does a chart of both queues lose them to the newest hundred.
    const both = await shown(['qa', 'qb']);
    expect(both).toHaveLength(100);
    expect(both.slice(0, 4)).toEqual([...own, 'Deploy: both by ben']);
    expect(await world.redis.xlen(world.keys.global('queuesMarks'))).toBeLessThanOrEqual(1_050);
    // Pauses of a tenant by the hundred hide no deploy either.
    for (let n = 0; n < 60; n++) {
      await world.broker.pause('qb', { scope: 'tenant:t1', reason: 'a test' }, BY);
      await world.broker.resume('qb', 'tenant:t1', BY);
    }
    expect((await shown(['qb'])).filter((text) => text.startsWith('Deploy'))).toEqual(own);
  });
});
