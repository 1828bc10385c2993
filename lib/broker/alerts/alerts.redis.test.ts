/** Alerts in Redis: once with any number of consoles, whatever crashes, and never more than there is room for. */
import { beforeEach, describe, expect, test } from 'vitest';
import { QUOTAS } from '@/lib/contract/access/quotas';
import { ENDED_ALERTS_MAX, WAITING_DELIVERIES_MAX } from '@/lib/contract/alerts/alert-limits';
import type { Alert } from '@/lib/contract/alerts/alert-schemas';
import { FIRING_ALERT } from '@/testing/records/alert-about-orders';
import { BY, setUpWorld } from '@/testing/worlds/world';
import type { AlertFinding } from './advance-alerts';
import { NEW_STATUS } from './alert-records';
import { DELIVERY_LEASE_MS, RETRY_AFTER_MS } from './deliver-messages';
import { channel, finding, RULES } from './fixture-findings';

const world = await setUpWorld();
const { alerts } = world.broker;
const CHANNELS = [channel('night')];
const NIGHT = new Set(['night']);
beforeEach(() => world.redis.flushall());

const look = (findings: readonly AlertFinding[], from = alerts, at = world.clock.now) =>
  from.look({ at, findings, isComplete: true }, RULES, CHANNELS);
async function fire(): Promise<string> {
  await look([finding()]);
  world.clock.now += 30_000;
  await look([finding()]);
  return (await alerts.read()).live[0]?.id ?? '';
}
async function end(): Promise<void> {
  world.clock.now += 5_000;
  await look([]);
  world.clock.now += 60_000;
  await look([]);
}
const events = async () =>
  (await alerts.deliveries({ limit: 100 })).deliveries.map(({ event, state }) => `${event} ${state}`);
const takeOne = async (from = alerts) => (await from.take(NIGHT, 1)).taken[0];

describe('many consoles', () => {
  test('looking at the same time fire once and end once', async () => {
    const consoles = [alerts, world.another().alerts, world.another().alerts];
    const all = (findings: readonly AlertFinding[]) =>
      Promise.all(consoles.map((one) => look(findings, one)));
    await all([finding()]);
    world.clock.now += 30_000;
    for (let i = 0; i < 5; i++) await all([finding()]);
    expect(await events()).toEqual(['fired waiting']);
    world.clock.now += 5_000;
    await all([]);
    world.clock.now += 60_000;
    for (let i = 0; i < 3; i++) await all([]);
    expect(await events()).toEqual(['ended waiting', 'fired waiting']);
    expect((await alerts.ended({ limit: 10 })).alerts).toHaveLength(1);
  });

  test('with an older look change nothing', async () => {
    await fire();
    const before = world.clock.now;
    world.clock.now += 60_000;
    expect(await look([finding()])).toMatchObject({ advanced: true });
    expect(await look([], alerts, before)).toEqual({ advanced: false, messages: 0 });
    expect((await alerts.read()).live).toMatchObject([{ state: 'firing', goneAt: null }]);
  });

  test('take a message one at a time', async () => {
    await fire();
    const consoles = [alerts, world.another().alerts, world.another().alerts];
    const taken = await Promise.all(consoles.map((one) => one.take(NIGHT, 5)));
    expect(taken.flatMap((one) => one.taken)).toHaveLength(1);
  });
});

describe('a message', () => {
  test('of a console that crashed is taken by another after its lease, whose result counts', async () => {
    await fire();
    const crashed = await takeOne();
    if (!crashed) throw new Error('it is due');
    world.clock.now += DELIVERY_LEASE_MS - 1;
    expect(await takeOne()).toBeUndefined();
    world.clock.now += 1;
    const again = await takeOne(world.another().alerts);
    if (!again) throw new Error('it is due again');
    expect(again.message.id).toBe(crashed.message.id);
    expect(await alerts.settle(crashed, { error: 'late', isFinal: true })).toBe(false);
    expect(await alerts.settle(again, null)).toBe(true);
    expect(await events()).toEqual(['fired sent']);
    expect((await alerts.channels()).get('night')).toMatchObject({ state: 'sent', error: null });
  });

  test('that fails is tried again later and later, then given up', async () => {
    await fire();
    for (const wait of RETRY_AFTER_MS) {
      const taken = await takeOne();
      if (!taken) throw new Error('it is due');
      await alerts.settle(taken, { error: 'It answered 503.', isFinal: false });
      world.clock.now += wait - 1;
      expect(await takeOne()).toBeUndefined();
      world.clock.now += 1;
    }
    const last = await takeOne();
    if (!last) throw new Error('it is due');
    await alerts.settle(last, { error: 'It answered 503.', isFinal: false });
    expect((await alerts.deliveries({ limit: 1 })).deliveries).toMatchObject([
      { state: 'failed', attempts: RETRY_AFTER_MS.length + 1, error: 'It answered 503.', nextAt: null },
    ]);
    world.clock.now += 10 * 3_600_000;
    expect(await takeOne()).toBeUndefined();
  });

  test('that the receiver refuses is not tried again; a wish to wait is heeded', async () => {
    await fire();
    const first = await takeOne();
    if (!first) throw new Error('it is due');
    await alerts.settle(first, { error: 'It answered 429.', isFinal: false, retryAfterMs: 90_000 });
    world.clock.now += 89_999;
    expect(await takeOne()).toBeUndefined();
    world.clock.now += 1;
    const second = await takeOne();
    if (!second) throw new Error('it is due');
    await alerts.settle(second, { error: 'It answered 400.', isFinal: true });
    expect(await events()).toEqual(['fired failed']);
  });

  test('waits for the one before it of the same alert and channel', async () => {
    await fire();
    const fired = await takeOne();
    if (!fired) throw new Error('it is due');
    await alerts.settle(fired, { error: 'It answered 503.', isFinal: false });
    world.clock.now += RETRY_AFTER_MS[0] ?? 0;
    await alerts.settle((await takeOne()) ?? fired, {
      error: 'It answered 503.',
      isFinal: false,
      retryAfterMs: 300_000,
    });
    await end();
    expect(await events()).toEqual(['ended waiting', 'fired waiting']);
    expect(await takeOne()).toBeUndefined();
    world.clock.now += 300_000;
    const order: string[] = [];
    for (let i = 0; i < 2; i++) {
      const taken = await takeOne();
      if (!taken) throw new Error('it is due');
      order.push(taken.message.event);
      await alerts.settle(taken, null);
      world.clock.now += 5_000;
    }
    expect(order).toEqual(['fired', 'ended']);
  });

  test('for a channel that no console has waits a while, then fails with a reason', async () => {
    await fire();
    expect((await alerts.take(new Set(), 5)).taken).toEqual([]);
    world.clock.now += 30_000;
    expect(await takeOne(world.another().alerts)).toBeDefined();
    world.clock.now += 10 * 60_000;
    await alerts.take(new Set(), 5);
    expect((await alerts.deliveries({ limit: 1 })).deliveries).toMatchObject([
      { state: 'failed', error: 'No console has a channel night now.' },
    ]);
  });
});

describe('users', () => {
  test('acknowledge a firing alert: told once, and the note can change', async () => {
    const id = await fire();
    expect(await alerts.acknowledge(id, 'on it', BY)).toMatchObject({
      acknowledged: { actor: BY.actor, note: 'on it', at: world.clock.now },
    });
    await alerts.acknowledge(id, 'still', BY);
    expect((await events()).sort()).toEqual(['acknowledged waiting', 'fired waiting']);
    expect((await alerts.read()).live[0]?.acknowledged?.note).toBe('still');
    await look([finding()]);
    expect((await alerts.read()).live[0]?.acknowledged?.note).toBe('still');
    await end();
    await expect(alerts.acknowledge(id, null, BY)).rejects.toMatchObject({ code: 'ALERT_NOT_FOUND' });
  });

  test('silence and end a silence; one request makes one', async () => {
    const request = { code: 'FAILING', reason: 'planned', forMs: 120_000 };
    const silence = await alerts.silence(request, BY, 'request-1');
    expect((await alerts.silence(request, BY, 'request-1')).id).toBe(silence.id);
    const id = await fire();
    expect((await alerts.read()).live).toMatchObject([{ id, silencedBy: silence.id, firedAt: null }]);
    expect(await events()).toEqual([]);
    await alerts.unsilence(silence.id, BY);
    expect((await alerts.read()).live).toMatchObject([{ silencedBy: null }]);
    await look([finding()]);
    expect(await events()).toEqual(['fired waiting']);
    await expect(alerts.unsilence(silence.id, BY)).rejects.toMatchObject({ code: 'SILENCE_NOT_FOUND' });
  });

  test('silence the same again: the silence lasts longer, and no second one begins', async () => {
    const first = await alerts.silence({ code: 'FAILING', reason: 'planned', forMs: 120_000 }, BY);
    const request = { code: 'FAILING', reason: 'it takes longer', forMs: 600_000 };
    const longer = await alerts.silence(request, { actor: 'ben' }, 'request-1');
    expect(longer).toEqual({
      ...first,
      reason: 'it takes longer',
      actor: 'ben',
      until: world.clock.now + 600_000,
    });
    // A shorter one takes nothing from the time that was given.
    expect((await alerts.silence({ ...request, forMs: 60_000 }, BY)).until).toBe(longer.until);
    await alerts.silence({ ...request, queue: 'mail' }, BY);
    expect((await alerts.read()).silences.map(({ queue }) => queue).sort()).toEqual(['mail', null]);
    const shares = await world.redis.hgetall('rd:{.alerts}:shares');
    expect(shares).toMatchObject({ 'silences all': '2' });
    await alerts.unsilence(first.id, BY);
    expect(await world.redis.hget('rd:{.alerts}:shares', 'silences all')).toBe('1');
  });

  test('a silence that is over is removed by the next look', async () => {
    await alerts.silence({ queue: 'mail', reason: 'planned', forMs: 60_000 }, BY);
    world.clock.now += 60_000;
    await look([]);
    expect((await alerts.read()).silences).toEqual([]);
  });

  test('at the same time as looks of consoles: nothing is lost', async () => {
    const id = await fire();
    const consoles = [alerts, world.another().alerts];
    await Promise.all([
      ...consoles.map((one) => look([finding()], one)),
      alerts.acknowledge(id, 'on it', BY),
      alerts.silence({ code: 'DEEP', reason: 'planned', forMs: 60_000 }, BY),
    ]);
    const { live, silences } = await alerts.read();
    expect(live).toMatchObject([{ acknowledged: { note: 'on it' } }]);
    expect(silences).toHaveLength(1);
  });
});

describe('bounds', () => {
  test('silences, ended alerts and messages', async () => {
    for (let i = 0; i < QUOTAS.silences.total; i++)
      await alerts.silence({ queue: `q${i}`, reason: 'planned', forMs: 3_600_000 }, BY);
    const more = alerts.silence({ queue: 'more', reason: 'planned', forMs: 60_000 }, BY);
    await expect(more).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
    // One that ends makes room at once, before any look has removed it.
    await alerts.silence({ queue: 'q0', reason: 'longer', forMs: 7_200_000 }, BY);
    world.clock.now += 3_600_000;
    await alerts.silence({ queue: 'more', reason: 'planned', forMs: 60_000 }, BY);
    expect((await alerts.read()).silences.map(({ queue }) => queue).sort()).toEqual(['more', 'q0']);
    expect(await world.redis.hget('rd:{.alerts}:shares', 'silences all')).toBe('2');

    const fast = { forMs: () => 0, resolveAfterMs: 0 };
    const many = Array.from({ length: 26 }, (_, i) => finding({ code: `X${String.fromCharCode(65 + i)}` }));
    const turn = async (findings: readonly AlertFinding[]) => {
      world.clock.now += 1_000;
      const at = world.clock.now;
      await alerts.look({ at, findings, isComplete: true }, fast, [channel('a'), channel('b')]);
    };
    for (let i = 0; i < 45; i++) {
      await turn(many);
      await turn([]);
    }
    const key = (name: string) => `rd:{.alerts}:${name}`;
    expect(await world.redis.xlen(key('ended'))).toBe(ENDED_ALERTS_MAX);
    expect(await world.redis.zcard(key('due'))).toBe(WAITING_DELIVERIES_MAX);
    const kept = await world.redis.zcard(key('times'));
    expect(kept).toBe(2_000);
    expect(await world.redis.hlen(key('messages'))).toBe(kept);
    expect(await world.redis.hlen(key('attempts'))).toBe(kept);
    let cursor: string | undefined;
    const states = new Set<string>();
    let listed = 0;
    do {
      const page = await alerts.deliveries({ limit: 200, cursor });
      for (const { state, error } of page.deliveries) states.add(`${state} ${error ?? ''}`);
      listed += page.deliveries.length;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(listed).toBe(kept);
    expect([...states].sort()).toEqual([
      'failed Given up: more than 1000 messages were waiting.',
      'waiting ',
    ]);
  });

  test('ended alerts in pages, none older than 30 days', async () => {
    for (let i = 0; i < 3; i++) {
      await fire();
      await end();
    }
    const first = await alerts.ended({ limit: 2 });
    expect(first.alerts).toHaveLength(2);
    const second = await alerts.ended({ limit: 2, cursor: first.nextCursor ?? undefined });
    expect(second).toMatchObject({ alerts: [expect.anything()], nextCursor: null });
    await expect(alerts.ended({ limit: 2, cursor: 'x' })).rejects.toMatchObject({ code: 'BAD_CURSOR' });
    world.clock.now += 31 * 86_400_000;
    expect((await alerts.ended({ limit: 2 })).alerts).toEqual([]);
  });
});

test('a heartbeat is called by one console at a time', async () => {
  const consoles = [alerts, world.another().alerts];
  const beats = async () => Promise.all(consoles.map((one) => one.heartbeat('alive', 45_000)));
  expect((await beats()).filter(Boolean)).toHaveLength(1);
  expect((await beats()).filter(Boolean)).toHaveLength(0);
  world.clock.now += 45_000;
  expect((await beats()).filter(Boolean)).toHaveLength(1);
});

describe('an alert that consoles sent while Redis was away', () => {
  const own = (id: string): Alert => ({
    ...FIRING_ALERT,
    code: 'REDIS',
    id,
    seenAt: world.clock.now - 90_000,
  });
  const sentFor = (alert: Alert) => {
    const message = {
      id: `m-${alert.id}`,
      event: 'fired',
      channel: 'night',
      at: 1,
      after: null,
      alert,
    } as const;
    return [{ message, status: { ...NEW_STATUS, state: 'sent' as const } }];
  };
  const handOver = (id: string, goneAt = world.clock.now, by = alerts) =>
    by.handOver(own(id), sentFor(own(id)), goneAt);
  const endedIds = async () => (await alerts.ended({ limit: 10 })).alerts.map(({ id }) => id);

  test('is that of all: it stands once, and any console ends it, told after its messages', async () => {
    const [first, second] = [world.clock.now, world.clock.now + 5_000];
    await handOver('away', first);
    await handOver('away', second, world.another().alerts);
    expect((await alerts.read()).live).toMatchObject([{ id: 'away', state: 'firing', goneAt: second }]);
    expect(await endedIds()).toEqual([]);
    world.clock.now += 65_000;
    await look([]);
    expect((await alerts.read()).live).toEqual([]);
    expect((await alerts.ended({ limit: 10 })).alerts).toMatchObject([{ id: 'away', endedAt: second }]);
    expect(await events()).toEqual(['ended waiting', 'fired sent']);
    // A console that is later than its end adds nothing.
    await handOver('away');
    expect([await endedIds(), (await alerts.read()).live]).toEqual([['away'], []]);
  });

  test('under another id is over at once: one goes on, and receivers of the other are told', async () => {
    await handOver('away');
    await handOver('other');
    expect((await alerts.read()).live.map(({ id }) => id)).toEqual(['away']);
    expect(await endedIds()).toEqual(['other']);
  });
});

test('works while memory is full, and past rows that somebody else wrote', async () => {
  await world.redis.hset('rd:{.alerts}:live', 'DEEP', 'no json', 'OLD', '{"id":1}');
  await world.redis.hset('rd:{.alerts}:silences', 'x', '{}');
  await world.redis.zadd('rd:{.alerts}:due', 0, 'nothing');
  await world.redis.config('SET', 'maxmemory', '1');
  try {
    await fire();
    const taken = (await alerts.take(NIGHT, 5)).taken[0];
    if (!taken) throw new Error('it is due');
    expect(await alerts.settle(taken, null)).toBe(true);
  } finally {
    await world.redis.config('SET', 'maxmemory', '0');
  }
  expect(await events()).toEqual(['fired sent']);
});
