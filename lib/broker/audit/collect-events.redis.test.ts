/** Records come into the log once and whole, whoever carries them and whenever somebody dies. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditEventView } from '@/lib/contract/audit/audit-schemas';
import type { Broker } from '@/testing/create-broker';
import { BY, jobs, setUpWorld } from '@/testing/worlds/world';
import { FoldBuffer } from './intake/fold-enqueues';

const world = await setUpWorld();
beforeEach(() => world.redis.flushall());

const ENTRIES = 'rd:{.audit}:entries';
const HEAD = 'rd:{.audit}:head';
const all = async (broker: Broker = world.broker): Promise<AuditEventView[]> => {
  const entries: AuditEventView[] = [];
  for await (const entry of broker.audit.matching({})) entries.push(entry);
  return entries;
};
const pause = (queue: string, reason = 'a test') =>
  world.broker.pause(
    queue,
    { reason },
    { actor: 'ann', actorId: 'local:ann', method: 'local', via: 's1', address: '10.0.0.7', requestId: 'r1' },
  );
async function queueOf(count = 1): Promise<string> {
  const queue = world.freshQueue();
  await world.broker.enqueueMany(queue, jobs(count));
  return queue;
}

describe('the collector', () => {
  it('enters what was done, with who, from where, why and what changed', async () => {
    const queue = await queueOf();
    await pause(queue, 'provider is down');
    expect(await world.broker.audit.collect()).toMatchObject({ entered: 1, pending: 0, unread: [] });
    expect(await all()).toEqual([
      {
        n: 1,
        at: world.clock.now,
        actor: 'ann',
        actorId: 'local:ann',
        method: 'local',
        via: 's1',
        address: '10.0.0.7',
        action: 'queue.pause',
        result: 'done',
        code: null,
        object: { kind: 'queue', id: queue },
        queue,
        shard: null,
        filter: null,
        reason: 'provider is down',
        before: 'queue',
        after: null,
        count: null,
        requestId: 'r1',
        source: expect.stringMatching(new RegExp(`^${queue} \\d+-0$`)),
        prev: '0'.repeat(64),
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
  });

  it('chains entries of all places, about in the order they were made', async () => {
    const [a, b] = [await queueOf(), await queueOf()];
    for (let i = 0; i < 5; i++) {
      await pause(a, `a${i}`);
      await pause(b, `b${i}`);
    }
    await world.broker.audit.collect();
    const entries = await all();
    expect(entries.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    for (const [i, entry] of entries.entries())
      expect(entry.prev).toBe(i === 0 ? '0'.repeat(64) : entries[i - 1]?.hash);
    expect(entries.filter(({ queue }) => queue === a).map(({ reason }) => reason)).toEqual([
      'a0',
      'a1',
      'a2',
      'a3',
      'a4',
    ]);
    expect(await world.broker.audit.check()).toMatchObject({
      ok: true,
      checked: 10,
      first: 1,
      last: 10,
      keyed: false,
    });
  });

  it('keeps the newest record in the outbox, which numbers the next, and no other', async () => {
    const queue = await queueOf();
    for (let i = 0; i < 120; i++) await pause(queue, `${i}`);
    expect((await world.broker.audit.collect()).entered).toBe(120);
    expect(await world.redis.xlen(world.column(queue, 'audit'))).toBe(1);
    await pause(queue, 'again');
    expect((await world.broker.audit.collect()).entered).toBe(1);
    expect((await world.broker.audit.collect()).entered).toBe(0);
    expect((await all()).map(({ reason }) => reason)).toEqual(
      [...Array(120).keys()].map(String).concat('again'),
    );
  });

  it('enters each record once, however many collectors race', async () => {
    const queues = await Promise.all(Array.from({ length: 12 }, () => queueOf()));
    const brokers = Array.from({ length: 4 }, () => world.another());
    let going = true;
    const collectors = brokers.map(async (broker) => {
      while (going) await broker.audit.collect();
    });
    await Promise.all(
      queues.map(async (queue) => {
        for (let i = 0; i < 40; i++) await pause(queue, `${i}`);
      }),
    );
    going = false;
    await Promise.all(collectors);
    await world.broker.audit.collect();
    const entries = await all();
    expect(entries).toHaveLength(12 * 40);
    for (const queue of queues)
      expect(entries.filter((entry) => entry.queue === queue).map(({ reason }) => reason)).toEqual(
        [...Array(40).keys()].map(String),
      );
    expect(new Set(entries.map(({ source }) => source)).size).toBe(entries.length);
    expect(await world.broker.audit.check()).toMatchObject({ ok: true, problems: [] });
  });

  it('that died after entering and before forgetting leaves nothing to enter twice', async () => {
    const queue = await queueOf();
    await pause(queue, 'one');
    await pause(queue, 'two');
    const outbox = world.column(queue, 'audit');
    const before = await world.redis.dumpBuffer(outbox);
    await world.broker.audit.collect();
    // As it was before anything was forgotten.
    await world.redis.restore(outbox, 0, before as Buffer, 'REPLACE');
    expect((await world.broker.audit.collect({ thorough: true })).entered).toBe(0);
    expect(await world.redis.xlen(outbox)).toBe(1);
    await pause(queue, 'three');
    await world.broker.audit.collect();
    expect((await all()).map(({ reason }) => reason)).toEqual(['one', 'two', 'three']);
  });

  it('says how many records were lost when an outbox was cut', async () => {
    const queue = await queueOf();
    for (let i = 0; i < 6; i++) await pause(queue, `${i}`);
    await world.redis.xtrim(world.column(queue, 'audit'), 'MAXLEN', 2);
    await world.broker.audit.collect();
    const entries = await all();
    expect(entries.map(({ action, count, reason }) => [action, count, reason])).toEqual([
      ['audit.gap', 4, null],
      ['queue.pause', null, '4'],
      ['queue.pause', null, '5'],
    ]);
    expect(entries[0]).toMatchObject({
      actor: 'redrive',
      queue,
      after: expect.stringMatching(/^4 records of q\d+ were lost/),
    });
    await world.redis.del(world.column(queue, 'audit'));
    await pause(queue, 'anew');
    await world.broker.audit.collect();
    expect((await all()).slice(3).map(({ action, reason }) => [action, reason])).toEqual([
      ['audit.gap', null],
      ['queue.pause', 'anew'],
    ]);
    expect((await world.broker.audit.check()).ok).toBe(true);
  });

  it('reads on when one outbox cannot be read', async () => {
    const [broken, fine] = [await queueOf(), await queueOf()];
    await world.redis.set(world.column(broken, 'audit'), 'x');
    await pause(fine);
    const { entered, unread } = await world.broker.audit.collect();
    expect([entered, unread.map(({ source }) => source)]).toEqual([1, [broken]]);
  });

  it('goes on behind entries that were taken away with a head set back', async () => {
    const queue = await queueOf();
    for (let i = 0; i < 3; i++) await pause(queue, `${i}`);
    await world.broker.audit.collect();
    const first = (await all())[0] as AuditEventView;
    await world.redis.xdel(ENTRIES, '2-0', '3-0');
    await world.redis.hset(HEAD, 'n', '1', 'hash', first.hash);
    expect(await world.broker.audit.check()).toMatchObject({ ok: true });
    await pause(queue, 'later');
    await world.broker.audit.collect();
    expect((await all()).map(({ n, action }) => [n, action])).toEqual([
      [1, 'queue.pause'],
      [4, 'audit.gap'],
      [5, 'queue.pause'],
    ]);
    const { ok, problems } = await world.broker.audit.check();
    expect([ok, problems[0]?.sentence]).toEqual([
      false,
      expect.stringMatching(/^Entries 2 to 3 are missing/),
    ]);
  });

  it('ends after 500 entries, the oldest of all streams, so that its log is trimmed, and goes on behind them', async () => {
    const [loud, quiet] = [await queueOf(), await queueOf()];
    const pipeline = world.redis.pipeline();
    const by = JSON.stringify({ actor: 'ann' });
    for (let n = 1; n <= 1_200; n++)
      pipeline.xadd(`rd:{${loud}}:audit`, `${n}-0`, 'n', n, 'at', n, 'action', 'queue.pause', 'by', by);
    pipeline.xadd(`rd:{${quiet}}:audit`, '30-1', 'n', 1, 'at', 30, 'action', 'queue.drain', 'by', by);
    await pipeline.exec();
    const sizes: number[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const collected = await world.broker.audit.collect({ after, limits: { each: 5_000, all: 5_000 } });
      sizes.push(collected.entries);
      expect(collected.pending > 0).toBe(collected.stoppedAfter !== null);
      after = collected.stoppedAfter;
      if (sizes.length === 1) expect((await all()).some(({ action }) => action === 'queue.drain')).toBe(true);
    }
    expect(sizes).toEqual([500, 500, 201]);
    expect(await world.redis.xlen(ENTRIES)).toBe(1_201);
  });

  it('names the shard of a sharded queue, and its queue', async () => {
    const queue = world.freshQueue();
    await world.broker.sharding.set(queue, { count: 3 }, BY);
    await world.broker.enqueueMany(queue, jobs(10));
    await pause(queue);
    await world.broker.audit.collect();
    const pauses = (await all()).filter(({ action }) => action === 'queue.pause');
    expect(pauses.map(({ shard }) => shard).sort()).toEqual([0, 1, 2]);
    for (const entry of pauses) expect(entry).toMatchObject({ queue, object: { kind: 'queue', id: queue } });
    expect((await all()).find(({ action }) => action === 'queue.sharding')).toMatchObject({
      queue,
      before: '{"count":1,"by":"id"}',
      after: '{"count":3,"by":"id"}',
    });
  });
});

describe('jobs enqueued over HTTP', () => {
  const enqueue = (queue: string, id: string, actorId = 'token:t1') =>
    world.broker.enqueueMany(queue, [{ jobId: id, jobType: 'demo', payload: '{}' }], {
      by: { actor: 'loader', actorId, method: 'token', requestId: `r-${id}` },
    });

  it('become one entry for each who enqueues there, and what others do between stays in its place', async () => {
    const queue = await queueOf();
    for (let i = 0; i < 300; i++) await enqueue(queue, `a${i}`, i % 2 === 0 ? 'token:t1' : 'token:t2');
    await pause(queue, 'between');
    await enqueue(queue, 'b');
    expect((await world.broker.audit.collect()).entered).toBe(302);
    const entries = await all();
    expect(entries.map(({ action, actorId, count }) => [action, actorId, count])).toEqual([
      ['job.enqueue', 'token:t1', 150],
      ['job.enqueue', 'token:t2', 150],
      ['queue.pause', 'local:ann', null],
      ['job.enqueue', 'token:t1', 1],
    ]);
    expect(JSON.parse(entries[0]?.after ?? '')).toMatchObject({
      records: 150,
      firstRequestId: 'r-a0',
      lastRequestId: 'r-a298',
    });
    expect((await world.broker.audit.collect()).entered).toBe(0);
    expect(await world.broker.audit.check()).toMatchObject({ ok: true, problems: [] });
  });

  it('wait up to a minute for those that follow, unless something else was done there', async () => {
    let nowMs = 0;
    const holding = new FoldBuffer(() => nowMs);
    const collect = async () => (await world.broker.audit.collect({ holding })).entered;
    const queue = await queueOf();
    await enqueue(queue, 'a');
    expect(await collect()).toBe(1);
    for (let i = 0; i < 70; i++) await enqueue(queue, `b${i}`);
    expect(await collect()).toBe(0);
    await pause(queue);
    expect(await collect()).toBe(71);
    await enqueue(queue, 'c');
    expect(await collect()).toBe(0);
    nowMs += 60_001;
    expect(await collect()).toBe(1);
    expect((await all()).map(({ action, count }) => [action, count])).toEqual([
      ['job.enqueue', 1],
      ['job.enqueue', 70],
      ['queue.pause', null],
      ['job.enqueue', 1],
    ]);
  });
});

describe('a key', () => {
  const [one, two] = ['k'.repeat(32), 'l'.repeat(32)];

  it('is entered where it begins, and hashes what follows', async () => {
    const queue = await queueOf();
    await pause(queue, 'plain');
    await world.broker.audit.collect();
    await pause(queue, 'keyed');
    await world.broker.audit.collect({ keys: [one] });
    const entries = await all();
    expect(entries.map(({ action, hash }) => [action, hash.startsWith('hmac-')])).toEqual([
      ['queue.pause', false],
      ['audit.key', true],
      ['queue.pause', true],
    ]);
    expect(await world.broker.audit.check({ keys: [one] })).toMatchObject({ ok: true, keyed: true });
    expect((await world.broker.audit.check({ keys: [two] })).ok).toBe(false);
    const without = await world.broker.audit.check();
    expect([without.ok, without.problems[0]?.sentence]).toEqual([
      false,
      'Entry 2 is keyed: give the key (REDRIVE_AUDIT_KEY) to check it and those behind it.',
    ]);
  });

  it('that a console does not have keeps it from entering anything', async () => {
    const queue = await queueOf();
    await pause(queue);
    await world.broker.audit.collect({ keys: [one] });
    await pause(queue, 'waits');
    await expect(world.broker.audit.collect()).rejects.toMatchObject({ code: 'WRONG_STATE' });
    await expect(world.broker.audit.collect({ keys: [two] })).rejects.toThrow(/kept under another key/);
    expect((await all()).some(({ reason }) => reason === 'waits')).toBe(false);
    // The new one first, the old one behind it.
    await world.broker.audit.collect({ keys: [two, one] });
    expect((await all()).map(({ action }) => action)).toEqual([
      'audit.key',
      'queue.pause',
      'audit.key',
      'queue.pause',
    ]);
    expect((await world.broker.audit.check({ keys: [two, one] })).ok).toBe(true);
  });
});

describe('text that somebody wrote', () => {
  it.each([
    'two\r\nlines {"n":2}',
    '\u001b[31mred\u001b[0m',
    'a\u2028b\u2029c',
    'evil\u202Etxt.exe',
    '"},"hash":"x',
    'lone \ud800 half',
    '💥 ünï',
  ])('%j comes back as it was, and stands in the log as ASCII', async (reason) => {
    const queue = await queueOf();
    // Pauses are refused such a reason; an audit event may quote it.
    await pause(queue, reason.replace(/[\p{Cc}\p{Cs}\u2028\u2029]/gu, ''));
    await world.broker.audit.note({ action: 'test.note', after: reason }, { actor: reason, actorId: reason });
    await world.broker.audit.collect();
    const raw = (await world.redis.xrange(ENTRIES, '-', '+')).map(([, fields]) => fields[1] ?? '');
    for (const text of raw) expect(text).toMatch(/^[ -~]+$/);
    const wellFormed = reason.replace(/\ud800/g, '\ufffd');
    const note = (await all()).find(({ action }) => action === 'test.note');
    expect(note).toMatchObject({ actor: note?.actor, after: wellFormed });
    expect((await world.broker.audit.check()).ok).toBe(true);
  });
});
