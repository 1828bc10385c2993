/** Data that released versions left in Redis (make-golden-data.ts) are read and worked on by this one. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runToEnd } from '@/testing/worlds/operation-runs';
import { setUpWorld, stateOf } from '@/testing/worlds/world';

interface Golden {
  version: string;
  madeAt: number;
  keys: { key: string; ttlMs: number; dump: string }[];
}
const releases = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8')) as Golden);
const BY = { actor: 'ann', reason: 'a test' };
const STATES = {
  completed: 'completed',
  dead: 'dead',
  suppressed: 'suppressed',
  trashed: 'trashed',
  retry: 'retry',
  'in-flight': 'in-flight',
  scheduled: 'scheduled',
  'ready-low': 'ready',
  'ready-high': 'ready',
};

it('there are data of the first release', () => {
  expect(releases.map(({ version }) => version)).toContain('0.2.0');
});

describe.each(releases)('data of $version', async ({ madeAt, keys }) => {
  const world = await setUpWorld();
  const { broker, redis, clock } = world;
  clock.now = madeAt + 1_000;
  for (const { key, ttlMs, dump } of keys)
    await redis.restore(key, Math.max(0, ttlMs), Buffer.from(dump, 'base64') as never);

  it('every job is in its state, and nothing is missing', async () => {
    for (const [id, state] of Object.entries(STATES))
      expect([id, await stateOf(broker, 'mail', id)]).toEqual([id, state]);
    expect(await broker.inspect.queues()).toEqual(['mail', 'orders', 'reports', 'wide']);
    for (const queue of ['mail', 'orders', 'reports', 'wide'])
      expect(await broker.inspect.ledger(queue)).toMatchObject({ difference: 0 });
  });

  it('a dead job has its payload to the digit, its tenant and its error', async () => {
    const job = await broker.inspect.unmasked('mail', 'dead');
    expect(job.envelope).toMatchObject({ jobType: 'mail.send', tenantId: 'acme' });
    expect(JSON.stringify(job)).toContain('12345678901234567890');
    expect(JSON.stringify(job)).toContain('No route.');
    const { groups } = await broker.inspect.groups({ q: 'queue:mail' });
    expect(groups).toHaveLength(1);
  });

  it('settings, pause and schedule hold', async () => {
    expect(JSON.stringify(await broker.config.get('mail'))).toContain('"depthLimit":1000');
    expect((await broker.inspect.snapshot(['reports']))[0]?.pauses).toMatchObject([
      { scope: 'queue', reason: 'while the disk is full' },
    ]);
    expect((await broker.claim('reports', { worker: 'w2' })).jobs).toEqual([]);
    const found = await redis.hget('rd:{.schedules}:records', 'nightly');
    expect(found).toContain('Europe/Berlin');
  });

  it('operation, audit log, access, searches, alerts and marks are read', async () => {
    const [operation] = (await broker.operations.list(10)).operations;
    expect(operation).toMatchObject({ kind: 'redrive', status: 'completed', actor: 'ann' });
    const keys = ['the audit key of the golden data'];
    await broker.audit.collect({ thorough: true, keys });
    expect(await broker.audit.check({ keys })).toMatchObject({ ok: true });
    const { events } = await broker.audit.list({ limit: 100 });
    expect(new Set(events.map(({ action }) => action)).size).toBeGreaterThan(8);
    expect(events.map(({ actor }) => actor)).toContain('ann');
    const digest = createHash('sha256').update('golden').digest('hex');
    expect((await broker.access.tokens.look(digest))?.token).toMatchObject({
      name: 'deploy',
      ownerName: 'Ann',
    });
    expect(await broker.searches.list('bob')).toMatchObject([{ name: 'no route', q: 'code:SMTP' }]);
    const { live, silences } = await broker.alerts.read();
    expect(live).toMatchObject([{ state: 'firing' }]);
    expect(silences).toMatchObject([{ queue: 'orders', actor: 'ann' }]);
    expect((await broker.alerts.deliveries({ limit: 10 })).deliveries).toMatchObject([{ event: 'fired' }]);
    const range = { from: madeAt - 60 * 60_000, to: madeAt };
    const marks = await broker.inspect.marks(['orders'], range);
    expect(marks.map(({ kind }) => kind)).toEqual(['deploy', 'settings', 'operation']);
  });

  it('limits, fairness, unique keys and shards hold, and its re-drive can be undone', async () => {
    expect(await broker.config.get('orders')).toMatchObject({ config: { concurrency: 50, fair: 'tenant' } });
    const again = {
      jobId: 'again',
      jobType: 'mail.send',
      unique: { key: 'order-1', scope: 'window' as const, ttlMs: 60_000 },
    };
    await expect(broker.enqueue('orders', again)).rejects.toThrow('The job unique in orders');
    const wide = await broker.claim('wide', { worker: 'w2', count: 100 });
    expect(wide.jobs.length).toBeGreaterThan(0);
    await broker.ack('wide', wide.jobs);
    const [operation] = (await broker.operations.list(10)).operations;
    const undo = await broker.operations.undo(operation?.id ?? '', { reason: 'a test' }, BY);
    await runToEnd(broker, undo.id);
    for (const id of ['driven-1', 'driven-2']) expect(await stateOf(broker, 'orders', id)).toBe('dead');
    for (const queue of ['orders', 'wide'])
      expect(await broker.inspect.ledger(queue)).toMatchObject({ difference: 0 });
  });

  it('this version works on: by priority, after the lease, out of the dead letters, with an exact ledger', async () => {
    const claimed = async () => (await broker.claim('mail', { worker: 'w2', count: 1 })).jobs[0];
    const first = await claimed();
    expect(first?.jobId).toBe('ready-high');
    await broker.ack('mail', [{ jobId: first?.jobId ?? '', token: first?.token ?? '' }]);
    clock.now = madeAt + 60_000;
    await broker.reclaim('mail');
    expect(await stateOf(broker, 'mail', 'in-flight')).not.toBe('in-flight');
    await broker.redrive('mail', ['dead'], BY);
    expect(await stateOf(broker, 'mail', 'dead')).toBe('ready');
    await broker.restore('mail', ['trashed'], BY);
    expect(await stateOf(broker, 'mail', 'trashed')).toBe('dead');
    await broker.resume('reports', 'queue', BY);
    expect((await broker.claim('reports', { worker: 'w2' })).jobs).toHaveLength(1);
    expect(await broker.inspect.ledger('mail')).toMatchObject({ difference: 0 });
  });
});
