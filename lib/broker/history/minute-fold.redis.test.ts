/** The history of a queue: each minute becomes a row exactly once, whoever maintains it. */
import { describe, expect, it } from 'vitest';
import type { Column } from '@/lib/broker/redis/redis-keys';
import { claimAll, enqueueAll, failure, jobs, START, setUpWorld } from '@/testing/worlds/world';
import { BUCKETS_MS } from '../queues/percentile';
import { blockRowsOf, rowsOf, type StreamEntry, sharesOf, type TimedRow } from './minute-blocks';
import { emptyRow, encodeRow } from './row-codec';

const world = await setUpWorld();
const HISTORY_COLUMNS = ['minuteRows', 'minuteBlocks', 'tenMinuteRows', 'tallies', 'workerCounts'] as const;
const MINUTE_MS = 60_000;
const MINUTE = START / MINUTE_MS;

async function read(queue: string, column: 'minuteRows' | 'minuteBlocks' | 'tenMinuteRows') {
  return (await world.redis.xrangeBuffer(world.column(queue, column), '-', '+')) as unknown as StreamEntry[];
}
const since = (rows: TimedRow[]): [number, TimedRow][] => rows.map((row) => [row.minute - MINUTE, row]);
const minutesOf = async (queue: string) =>
  since([...blockRowsOf(await read(queue, 'minuteBlocks')), ...rowsOf(await read(queue, 'minuteRows'))]);
const tenMinutesOf = async (queue: string) => since(blockRowsOf(await read(queue, 'tenMinuteRows')));
const maintainFromMany = (queue: string) =>
  Promise.all([world.broker, world.another(), world.another()].map((broker) => broker.maintain(queue)));

describe('the rows of minutes', () => {
  it('have what happened and the depths, once with several maintainers, and none for minutes like the one before', async () => {
    const queue = world.freshQueue();
    world.clock.now = START;
    await enqueueAll(world.broker, queue, jobs(10));
    world.clock.now += 300;
    const taken = await claimAll(world.broker, queue, { most: 4, leaseMs: 90_000 });
    world.clock.now += 2_000;
    const [first, second, ...others] = taken.map(({ jobId, token }) => ({ jobId, token }));
    await world.broker.ack(queue, others);
    await world.broker.fail(queue, first ? [{ ...first, failure: failure() }] : []);
    world.clock.now = START + MINUTE_MS + 5_000;
    await maintainFromMany(queue);
    const [[minute, row] = [], ...more] = await minutesOf(queue);
    expect([minute, more]).toEqual([0, []]);
    expect(row).toMatchObject({
      depths: { ready: 6, inFlight: 1, scheduled: 0, retry: 0, held: 0, dead: 1 },
      counts: { arrivals: 10, completed: 2, failed: 1, lost: 0, died: 1 },
    });
    expect(row?.run.filter(Boolean)).toEqual([2]);
    expect(row?.run[8]).toBe(2);
    // They took two seconds each, of a bucket that ends at 2.5.
    expect(row?.runSpan?.leastMs).toBeGreaterThan(1_700);
    expect(row?.runSpan?.mostMs).toBeLessThan(2_300);
    expect(row?.wait[6]).toBe(4);
    expect(row?.oldestAgeMs).toBeGreaterThan(60_000);
    // Its lease is lost in the next minute, then nothing changes for an hour.
    expect(second).toBeDefined();
    for (let later = 2; later < 60; later++) {
      world.clock.now = START + later * MINUTE_MS + 5_000;
      await maintainFromMany(queue);
    }
    const after = await minutesOf(queue);
    // What is taken back early in a minute changes the depths found for the one before.
    expect(after.map(([at]) => at)).toEqual([0, 1, 2]);
    expect(after[2]?.[1]).toMatchObject({ depths: { ready: 7, inFlight: 0, dead: 1 }, counts: { lost: 1 } });
    // A day later the ten minutes are one row.
    world.clock.now += 1_500 * MINUTE_MS;
    await enqueueAll(world.broker, queue, jobs(1, 90));
    world.clock.now += MINUTE_MS;
    await maintainFromMany(queue);
    expect(await tenMinutesOf(queue)).toMatchObject([
      [0, { counts: { arrivals: 10, completed: 2, lost: 1, died: 1 }, depths: { ready: 7 } }],
    ]);
    expect((await minutesOf(queue)).map(([at]) => at)).toEqual([1_559]);
  });

  it('late: no count is lost, and depths nobody saw are unknown', async () => {
    const queue = world.freshQueue();
    for (let minute = 0; minute < 45; minute++) {
      world.clock.now = START + minute * MINUTE_MS;
      await enqueueAll(world.broker, queue, jobs(1, minute));
    }
    world.clock.now += MINUTE_MS;
    await maintainFromMany(queue);
    const rows = await minutesOf(queue);
    expect(rows.map(([at]) => at)).toEqual(Array.from({ length: 45 }, (_, i) => i));
    expect(rows.reduce((sum, [, row]) => sum + (row?.counts.arrivals ?? 0), 0)).toBe(45);
    expect(rows.filter(([, row]) => row?.depths).map(([at]) => at)).toEqual([44]);
  });

  it('after a clock that was ahead start anew, and never count a minute twice', async () => {
    const queue = world.freshQueue();
    world.clock.now = START + 10 * MINUTE_MS;
    await enqueueAll(world.broker, queue, jobs(1));
    world.clock.now = START + 20 * MINUTE_MS;
    await world.broker.maintain(queue);
    world.clock.now = START + 10 * MINUTE_MS;
    await enqueueAll(world.broker, queue, jobs(1, 1));
    world.clock.now += MINUTE_MS;
    await world.broker.maintain(queue);
    expect((await minutesOf(queue)).map(([at, row]) => [at, row?.counts.arrivals])).toEqual([
      [10, 1],
      [19, 0],
    ]);
    world.clock.now = START + 1_000 * MINUTE_MS;
    await enqueueAll(world.broker, queue, jobs(1, 2));
    world.clock.now += MINUTE_MS;
    await world.broker.maintain(queue);
    world.clock.now = START + 30 * MINUTE_MS;
    await enqueueAll(world.broker, queue, jobs(1, 3));
    world.clock.now += MINUTE_MS;
    await world.broker.maintain(queue);
    expect((await minutesOf(queue)).map(([at]) => at)).toEqual([30]);
  });
});

describe('the busiest types and tenants', () => {
  it('are kept for ten minutes each: claims by the first job of a call, failures and deaths each; more than 200 names together', async () => {
    const queue = world.freshQueue();
    const named = (name: string, from: number) => jobs(2, from, { jobType: name, tenantId: `of-${name}` });
    for (const [block, names] of [
      ['a', 'b'],
      ['a', 'b'],
      ['a', 'c'],
    ].entries()) {
      world.clock.now = START + block * 10 * MINUTE_MS;
      for (const [i, name] of names.entries()) {
        await enqueueAll(world.broker, queue, named(name, block * 10 + i * 2));
        const [first, second] = await claimAll(world.broker, queue);
        await world.broker.fail(queue, first ? [{ ...first, failure: failure() }] : []);
        await world.broker.ack(queue, second ? [{ jobId: second.jobId, token: second.token }] : []);
      }
      world.clock.now += 10 * MINUTE_MS;
      await world.broker.maintain(queue);
    }
    const blocks = sharesOf(await read(queue, 'minuteBlocks'));
    const line = (kind: string, name: string) => ({ kind, name, claimed: 2, failed: 1, died: 1 });
    const both = (...names: string[]) => [
      ...names.map((name) => line('tenant', `of-${name}`)),
      ...names.map((name) => line('type', name)),
    ];
    expect(blocks.map(({ shares }) => shares)).toEqual([both('a', 'b'), both('a', 'b'), both('a', 'c')]);
    const full = Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`t:t${i}:c`, '1']));
    await world.redis.hset(world.column(queue, 'tallies'), full);
    await enqueueAll(
      world.broker,
      queue,
      [jobs(1, 100, { jobType: 't7' }), jobs(1, 101, { jobType: 'new' })].flat(),
    );
    for (let i = 0; i < 2; i++) await world.broker.claim(queue, { worker: 'w', count: 1 });
    expect(await world.redis.hgetall(world.column(queue, 'tallies'))).toMatchObject({
      't:t7:c': '2',
      't:*:c': '1',
    });
    expect(await world.redis.hlen(world.column(queue, 'tallies'))).toBeLessThanOrEqual(602);
  });
});

describe('the look for due maintenance', () => {
  it('finds a queue in which something happened, and no other, once a minute', async () => {
    const [busy, idle] = [world.freshQueue(), world.freshQueue()];
    world.clock.now = START;
    await enqueueAll(world.broker, busy, jobs(1));
    await enqueueAll(world.broker, idle, jobs(1));
    for (let minute = 1; minute < 15; minute++) {
      world.clock.now = START + minute * MINUTE_MS + 5_000;
      await enqueueAll(world.broker, busy, jobs(1, minute));
      await world.another().maintainDue([busy, idle]);
    }
    expect((await minutesOf(busy)).map(([at]) => at)).toEqual(Array.from({ length: 14 }, (_, i) => i));
    expect((await minutesOf(idle)).map(([at]) => at)).toEqual([0]);
    const folded = await world.redis.hget(world.column(idle, 'limits'), 'fold');
    world.clock.now += MINUTE_MS;
    await world.another().maintainDue([busy, idle]);
    expect(await world.redis.hget(world.column(idle, 'limits'), 'fold')).toBe(folded);
    expect((await minutesOf(busy)).length).toBe(15);
  });
});

describe('the memory of a busy queue', () => {
  it('is at most 128 KB for a week, with 100 jobs a second of five types and three tenants', async () => {
    const queue = world.freshQueue();
    const pipeline = world.redis.pipeline();
    const vary = (n: number, i: number) => Math.round(n * (1 + 0.4 * Math.sin(i / 7)));
    const busyRow = (i: number, jobs: number) => {
      const depths = { ready: 900, inFlight: 45, scheduled: 300, retry: 60, held: 0, dead: 4_000 + i };
      const row = emptyRow({ ...depths, ready: vary(900, i), retry: vary(60, i) });
      row.oldestAgeMs = vary(3_000, i);
      const [arrivals, completed, failed] = [vary(jobs, i), vary(jobs, i + 1), vary(jobs / 40, i)];
      row.counts = { arrivals, completed, failed, lost: i % 3, died: i % 9 };
      const spread = (first: number, count: number) =>
        BUCKETS_MS.map((_, at) => (at >= first && at < first + count ? vary(jobs / count, i + at) : 0));
      return encodeRow({ ...row, run: spread(1, 5), wait: spread(3, 6) });
    };
    const names = ['email.send', 'invoice.render', 'webhook.deliver', 'report.build', 'image.scale'];
    const list = [...names.map((name) => `t:${name}`), ...names.slice(2).map((name) => `n:${name}`)].join(
      ' ',
    );
    const shares = (i: number) =>
      Buffer.concat([Buffer.from(i % 12 ? '\n' : `${list}\n`), Buffer.alloc(24, 100)]);
    const add = (column: Column, minute: number, ...fields: (string | Buffer)[]) =>
      pipeline.xadd(world.column(queue, column), `${MINUTE + minute}-0`, ...fields);
    const block = (first: number, count: number, step: number, jobs: number) =>
      Buffer.concat(
        Array.from({ length: count }, (_, i) => busyRow(first + i, jobs)).flatMap((row, i) => [
          Buffer.from([i * step, row.length]),
          row,
        ]),
      );
    for (let i = 0; i < 144; i++) add('tenMinuteRows', i * 60, 'r', block(i * 6, 6, 10, 60_000));
    for (let i = 0; i < 150; i++)
      add('minuteBlocks', i * 10, 'r', block(i * 10, 10, 1, 6_000), 'b', shares(i));
    for (let i = 0; i < 10; i++) add('minuteRows', i, 'r', busyRow(i, 6_000));
    // Workers that come and go all the time.
    for (let i = 0; i < 500; i++) add('workerCounts', i * 20, 'n', String(40 + (i % 9)));
    for (let i = 0; i < 30; i++)
      pipeline.hset(world.column(queue, 'tallies'), `t:${names[i % 5]}${i}:c`, 1_000);
    await pipeline.exec();
    let bytes = 0;
    for (const column of HISTORY_COLUMNS)
      bytes += Number(await world.redis.memory('USAGE', world.column(queue, column), 'SAMPLES', 0));
    expect(bytes).toBeLessThanOrEqual(128 * 1_024);
    // The day and the week go on: what is older goes.
    world.clock.now = START + 16 * 1_440 * MINUTE_MS;
    for (let call = 0; call < 40; call++) {
      await enqueueAll(world.broker, queue, jobs(1, call));
      world.clock.now += MINUTE_MS;
      await world.broker.maintain(queue);
    }
    expect(await world.redis.xlen(world.column(queue, 'minuteBlocks'))).toBeLessThanOrEqual(124);
    expect(await world.redis.xlen(world.column(queue, 'tenMinuteRows'))).toBe(0);
  });
});
