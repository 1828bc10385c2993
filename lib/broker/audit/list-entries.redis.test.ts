/** Finding entries, and letting go of old ones. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { AuditEventView, AuditQuery } from '@/lib/contract/audit/audit-schemas';
import { collectAll } from '@/testing/collect-all';
import { jobs, START, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();
const DAY = 86_400_000;

const list = (query: Partial<AuditQuery> = {}) => world.broker.audit.list(query);
const found = async (query: Partial<AuditQuery>) => (await list(query)).events.map(({ n }) => n);

describe('a search', () => {
  beforeAll(async () => {
    await world.redis.flushall();
    await world.broker.enqueueMany('email', jobs(1));
    await world.broker.enqueueMany('sms', jobs(1));
    const ann = { actor: 'Ann Lee', actorId: 'local:ann', requestId: 'r1' };
    await world.broker.pause('email', { reason: 'Provider is DOWN' }, ann);
    world.clock.now += 1_000;
    await collectAll(world.broker);
    await world.broker.resume('email', 'queue', ann);
    world.clock.now += 1_000;
    await collectAll(world.broker);
    // Carried one by one: what happens in two places in one millisecond may be entered in either order.
    await world.broker.pause('sms', { reason: 'a test' }, { actor: 'bob', actorId: 'oidc:7' });
    await collectAll(world.broker);
    await world.broker.audit.note(
      {
        action: 'queue.drain',
        object: { kind: 'queue', id: 'email' },
        queue: 'email',
        result: 'refused',
        code: 'FORBIDDEN',
      },
      { actor: 'eve', actorId: 'token:t1' },
    );
    await collectAll(world.broker);
    await world.broker.audit.note({ action: 'session.begin', object: { kind: 'session', id: 's9' } }, ann);
    await collectAll(world.broker);
  });

  it.each<[Partial<AuditQuery>, number[]]>([
    [{}, [5, 4, 3, 2, 1]],
    [{ queue: 'email' }, [4, 2, 1]],
    [{ queue: 'emai' }, []],
    [{ actor: 'ann lee' }, [5, 2, 1]],
    [{ actor: 'local:ann' }, [5, 2, 1]],
    [{ actor: 'ann' }, []],
    [{ action: 'queue' }, [4, 3, 2, 1]],
    [{ action: 'queue.pause' }, [3, 1]],
    [{ action: 'que' }, []],
    [{ result: 'refused' }, [4]],
    [{ kind: 'session' }, [5]],
    [{ kind: 'queue', id: 'sms' }, [3]],
    [{ text: 'provider is down' }, [1]],
    [{ text: 'OIDC:7' }, [3]],
    [{ text: '.*' }, []],
    [{ from: START + 1_000 }, [5, 4, 3, 2]],
    [{ to: START + 1_000 }, [2, 1]],
    [{ from: START + 1_000, to: START + 1_500, queue: 'email' }, [2]],
  ])('%j', async (query, expected) => {
    expect((await found(query)).sort((a, b) => b - a)).toEqual(expected);
  });

  it('goes page by page, newest first, and never shows one twice', async () => {
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ limit: 2, cursor });
      seen.push(...page.events.map(({ n }) => n));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual([5, 4, 3, 2, 1]);
  });

  it.each(['0', '-1', '1e3', 'x', '9'.repeat(30), '5-0'])('cursor %s is refused', async (cursor) => {
    await expect(list({ cursor })).rejects.toMatchObject({ code: 'BAD_CURSOR' });
  });

  it('shows, and counts, only what may be seen', async () => {
    const of = (queue: string) => (entry: AuditEventView) => (entry.queue === queue ? entry : null);
    const page = await world.broker.audit.list({}, of('sms'));
    expect(page).toMatchObject({ scanned: 1, of: 1, nextCursor: null });
    expect(page.events.map(({ n }) => n)).toEqual([3]);
    const file: AuditEventView[] = [];
    for await (const entry of world.broker.audit.matching({ action: 'queue' }, of('email'))) file.push(entry);
    expect(file.map(({ n }) => n)).toEqual([1, 2, 4]);
    // What is hidden from somebody cannot be found by looking for it either.
    const hushed = (entry: AuditEventView) => ({ ...entry, queue: null, object: null });
    expect((await world.broker.audit.list({ queue: 'sms' }, hushed)).events).toEqual([]);
  });

  it('stops at its budget and says where it is', async () => {
    await world.redis.flushall();
    await world.broker.enqueueMany('email', jobs(1));
    const notes = Array.from({ length: 5_300 }, (_, i) => i);
    for (let i = 0; i < notes.length; i += 100)
      await Promise.all(
        notes
          .slice(i, i + 100)
          .map((n) =>
            world.broker.audit.note({ action: n === 5 ? 'test.rare' : 'test.often' }, { actor: 'ann' }),
          ),
      );
    await collectAll(world.broker);
    const page = await list({ action: 'test.rare' });
    expect(page).toMatchObject({ events: [], scanned: 5_000, of: 5_300, nextCursor: '301' });
    expect((await list({ action: 'test.rare', cursor: page.nextCursor ?? '' })).events).toHaveLength(1);
  });
});

describe('retention', () => {
  it('lets go of the oldest by number, says so, and the chain holds', async () => {
    const before = await world.broker.audit.check();
    expect(before).toMatchObject({ ok: true, checked: 5_300, first: 1 });
    const policy = { keepDays: 400, keepEntries: 1_000 };
    expect(await world.broker.audit.trim(policy)).toEqual({ gone: 4_000, early: 4_000 });
    const check = await world.broker.audit.check();
    expect(check).toMatchObject({ ok: true, first: 4_001, last: 5_308, checked: 1_308 });
    expect((await list({ action: 'audit.trim' })).events[0]).toMatchObject({
      actor: 'redrive',
      count: 500,
      after: JSON.stringify({ upTo: 4_000, keepMs: 400 * DAY, keepEntries: 1_000, early: 500 }),
    });
    // Fewer than a step: left for later.
    expect(await world.broker.audit.trim(policy)).toEqual({ gone: 0, early: 0 });
  });

  it('lets go of what is too old, once the oldest is a day over', async () => {
    await world.redis.flushall();
    const note = () => world.broker.audit.note({ action: 'test.note' }, { actor: 'ann' });
    await note();
    await note();
    await collectAll(world.broker);
    world.clock.now += 9 * DAY;
    await note();
    await collectAll(world.broker);
    expect(await world.broker.audit.trim({ keepDays: 10 })).toEqual({ gone: 0, early: 0 });
    world.clock.now += 1.5 * DAY;
    expect(await world.broker.audit.trim({ keepDays: 10 })).toEqual({ gone: 0, early: 0 });
    world.clock.now += 0.6 * DAY;
    expect(await world.broker.audit.trim({ keepDays: 10 })).toEqual({ gone: 2, early: 0 });
    expect(await found({})).toEqual([4, 3]);
    expect((await world.broker.audit.check()).problems).toEqual([]);
  });

  it('is done once by several at the same time', async () => {
    await world.redis.flushall();
    for (let i = 0; i < 20; i++)
      await Promise.all(
        Array.from({ length: 100 }, () => world.broker.audit.note({ action: 'test.note' }, { actor: 'a' })),
      );
    await collectAll(world.broker);
    const others = [world.another(), world.another(), world.another()];
    const gone = await Promise.all(others.map((one) => one.audit.trim({ keepDays: 400, keepEntries: 500 })));
    expect(gone.reduce((sum, one) => sum + one.gone, 0)).toBe(1_500);
    expect((await world.broker.audit.check()).problems).toEqual([]);
  });
});
