/** A writer of Redis past the consoles: what they may enter an hour, what is said of the rest, and what goes in all the same. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditEventView } from '@/lib/contract/audit/audit-schemas';
import { collectAll } from '@/testing/collect-all';
import { setUpWorld } from '@/testing/worlds/world';
import { UNPAID_AN_HOUR, UNPAID_OF_ALL } from './source-rooms';

const world = await setUpWorld();
beforeEach(() => world.redis.flushall());

const HOUR = { limit: 2_500, windowMs: 3_600_000 };
const limits = { each: 50, all: 120 };
const collect = () => collectAll(world.broker, { limits });
const written = new Map<string, number>();
/** As a worker's Redis user writes into the stream of its queue, in the name of somebody else. */
async function forge(queue: string, count: number): Promise<void> {
  const by = JSON.stringify({ actor: 'ann', actorId: 'local:ann', method: 'local', reason: 'forged' });
  const pipeline = world.redis.pipeline();
  let n = written.get(queue) ?? 0;
  for (let i = 0; i < count; i++)
    pipeline.xadd(`rd:{${queue}}:audit`, '*', 'n', ++n, 'action', 'queue.pause', 'by', by, 'kind', 'queue');
  written.set(queue, n);
  await pipeline.exec();
}
async function queueOf(): Promise<string> {
  const queue = world.freshQueue();
  await world.broker.enqueue(queue, { jobType: 'a' });
  return queue;
}
async function log(): Promise<{ forged: number; leftOut: AuditEventView[]; others: string[] }> {
  const entries: AuditEventView[] = [];
  for await (const entry of world.broker.audit.matching({})) entries.push(entry);
  const leftOut = entries.filter(({ action }) => action === 'audit.left-out');
  const rest = entries.filter(({ action }) => action !== 'audit.left-out');
  return {
    forged: rest.filter(({ reason }) => reason === 'forged').length,
    leftOut,
    others: rest.filter(({ reason }) => reason !== 'forged').map(({ action, reason }) => reason ?? action),
  };
}
const countOf = (entries: readonly AuditEventView[]): number =>
  entries.reduce((sum, { count }) => sum + (count ?? 0), 0);

describe('events that no console has paid for', () => {
  it('of one queue have room for so many entries an hour; the rest is counted, and the chain holds', async () => {
    const queue = await queueOf();
    await forge(queue, 700);
    await collect();
    const first = await log();
    expect(first.forged).toBe(50);
    expect(first.leftOut).toMatchObject([{ actor: 'redrive', queue, object: { kind: 'audit', id: 'log' } }]);
    expect(first.leftOut[0]?.after).toMatch(
      new RegExp(`records of ${queue}, ${queue} \\d+-\\d+ to ${queue} \\d+-\\d+, were left out`),
    );
    // Said again after ten minutes, also when no more come.
    world.clock.now += 600_000;
    await collect();
    await collect();
    const later = await log();
    expect(later.leftOut).toHaveLength(2);
    expect(later.forged + countOf(later.leftOut)).toBe(700);
    world.clock.now += 3_600_000;
    await forge(queue, 20);
    await collect();
    expect(await log()).toMatchObject({ forged: 70, others: [] });
    expect(await world.broker.audit.check()).toMatchObject({ ok: true, problems: [] });
  });

  it('keep none out that a console has paid for, of that queue or another', async () => {
    const [mine, other] = [await queueOf(), await queueOf()];
    await forge(mine, 300);
    await collect();
    const by = { actor: 'root' };
    await world.broker.access.changes.pay(null, new Map([[mine, 1]]), HOUR);
    await world.broker.pause(mine, { reason: 'an incident' }, by);
    await world.broker.pause(other, { reason: 'another' }, by);
    written.set(mine, (written.get(mine) ?? 0) + 1);
    await forge(mine, 300);
    await collect();
    const { forged, others } = await log();
    expect(others.sort()).toEqual(['an incident', 'another']);
    expect(forged).toBe(50);
  });

  it('of invented queues have room together, and are told of in one entry', async () => {
    const names = Array.from({ length: 12 }, (_, i) => `invented-${i}`);
    for (const name of names) {
      await world.broker.enqueue(name, { jobType: 'a' });
      await forge(name, 30);
    }
    await collect();
    world.clock.now += 600_000;
    await collect();
    const { forged, leftOut } = await log();
    expect(forged).toBe(120);
    expect(leftOut.map(({ queue }) => queue)).toEqual([null, null].slice(0, leftOut.length));
    expect(forged + countOf(leftOut)).toBe(12 * 30);
  });

  it('are counted once, however many collectors race', async () => {
    const queue = await queueOf();
    await forge(queue, 900);
    const brokers = [world.broker, world.another(), world.another()];
    await Promise.all(brokers.map((broker) => collectAll(broker, { limits })));
    await collect();
    world.clock.now += 600_000;
    await collect();
    const { forged, leftOut, others } = await log();
    expect(others).toEqual([]);
    expect([forged, countOf(leftOut)]).toEqual([50, 850]);
    expect(await world.broker.audit.check()).toMatchObject({ ok: true, problems: [] });
  });

  it('for weeks, in every queue, cannot fill the log within a day', () => {
    expect(24 * UNPAID_OF_ALL).toBeLessThan(200_000 * 0.7);
    expect(UNPAID_AN_HOUR).toBeLessThan(UNPAID_OF_ALL);
  });
});
