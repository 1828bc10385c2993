/** Data that released versions left in Redis (make-golden-data.ts) are read and worked on by this one. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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
    expect(await broker.inspect.queues()).toEqual(['mail', 'reports']);
    for (const queue of ['mail', 'reports'])
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
