/** Where jobs go: the same for every process and every release, evenly, and found again. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimTokenSchema } from '@/lib/contract/jobs/claim-requests';
import { idFrom } from '../jobs/job-id';
import {
  divide,
  hash,
  layoutOf,
  logicalName,
  physicalName,
  shardNonce,
  shardOfId,
  shardOfJob,
  shardOfName,
  shardOfToken,
} from './shard-layout';

const byId = layoutOf('orders', { count: 7, by: 'id' }, 1);
const byTenant = layoutOf('orders', { count: 7, by: 'tenant' }, 1);

describe('a place', () => {
  it('never changes from one release to the next', () => {
    // Written down once. If this fails, jobs that are in would no longer be found: the rule has to stay.
    expect([hash('a'), hash('job-1'), hash('job-2')]).toMatchInlineSnapshot(`
      [
        444641715,
        2094670749,
        454456234,
      ]
    `);
  });

  it('is where an id is looked for first', () => {
    expect(shardOfJob(byId, { jobId: 'j1', tenantId: 'acme' })).toBe(shardOfId(byId, 'j1'));
  });

  it('of jobs with one uniqueness key is the same, whatever their ids', () => {
    const unique = { key: 'invoice/7' };
    const places = ['a', 'b', 'c', 'd'].map((jobId) => shardOfJob(byId, { jobId, tenantId: 't', unique }));
    expect(new Set(places).size).toBe(1);
  });

  it('of jobs of one tenant is the same, with or without a key', () => {
    const places = ['a', 'b', 'c', 'd'].map((jobId) =>
      shardOfJob(byTenant, { jobId, tenantId: 't', unique: jobId < 'c' ? { key: jobId } : undefined }),
    );
    expect(new Set(places).size).toBe(1);
  });

  it.each([2, 3, 16, 64])('is taken evenly by ids that count up, over %i shards', (count) => {
    const layout = layoutOf('q', { count, by: 'id' }, 1);
    const sizes = new Array<number>(count).fill(0);
    for (let i = 0; i < count * 1_000; i++) {
      const shard = shardOfJob(layout, { jobId: `job-${i}`, tenantId: 't' });
      sizes[shard] = (sizes[shard] ?? 0) + 1;
    }
    expect(Math.min(...sizes)).toBeGreaterThan(850);
    expect(Math.max(...sizes)).toBeLessThan(1_150);
  });
});

describe('a name', () => {
  it('of a shard says its queue and its number', () => {
    for (let shard = 0; shard < 64; shard++) {
      const name = physicalName('a.b-c', shard);
      expect([logicalName(name), shardOfName(name)]).toEqual(['a.b-c', shard]);
    }
    expect(physicalName('orders', 0)).toBe('orders');
  });
});

describe('a token', () => {
  const nonce = fc.stringMatching(/^[0-9A-Za-z]{8,32}$/);
  it('names the shard of its claim, is one, and belongs to its call alone', () => {
    fc.assert(
      fc.property(nonce, fc.nat({ max: 6 }), fc.nat({ max: 1e9 }), (given, shard, delivery) => {
        const named = shardNonce(shard, given, idFrom);
        const token = `${delivery}-${named}`;
        expect(claimTokenSchema.safeParse(token).success).toBe(true);
        expect(shardOfToken(byId, token)).toBe(shard);
        expect(shardNonce(shard, given, idFrom)).toBe(named);
      }),
    );
  });

  it('from before the queue was sharded belongs to the first shard', () => {
    expect(shardOfToken(byId, '1-0123456789abcdef')).toBe(0);
    expect(shardOfToken(byId, '1-0123456789abcx63')).toBe(0);
  });
});

it('parts add up to the whole and differ by one at most', () => {
  fc.assert(
    fc.property(fc.nat({ max: 1e8 }), fc.integer({ min: 1, max: 64 }), (total, parts) => {
      const shares = divide(total, parts);
      expect(shares.reduce((sum, one) => sum + one, 0)).toBe(total);
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
    }),
  );
});
