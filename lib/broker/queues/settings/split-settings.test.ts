/** Limits of a sharded queue: the shards' parts are the limit, no more and no less. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layoutOf } from '@/lib/broker/shards/shard-layout';
import { type QueueConfig, queueConfigSchema } from '@/lib/contract/queues/queue-config';
import { QUEUE_CONFIG_DEFAULT } from '@/lib/contract/queues/queue-config-default';
import {
  checkSplit,
  isNewerTotals,
  parseTotals,
  settingsOfShard,
  totalsJson,
  withTotals,
} from './split-settings';

const limits = fc.record({
  depthLimit: fc.option(fc.integer({ min: 64, max: 1e8 }), { nil: null }),
  concurrency: fc.option(fc.integer({ min: 64, max: 1e6 }), { nil: null }),
  completedKeep: fc.nat({ max: 1e6 }),
  completedKeepBytes: fc.option(fc.integer({ min: 64 * 1_024, max: 1e12 }), { nil: null }),
  rate: fc.option(
    fc.record({
      perSecond: fc.double({ min: 0.064, max: 1e6, noNaN: true }),
      burst: fc.integer({ min: 64, max: 1e6 }),
    }),
    { nil: null },
  ),
});
const count = fc.integer({ min: 2, max: 64 });
const config = (part: Partial<QueueConfig>): QueueConfig => ({ ...QUEUE_CONFIG_DEFAULT, ...part });

describe('shares', () => {
  it('of any limits that were accepted add up to them, and each is a setting of its own', () => {
    fc.assert(
      fc.property(limits, count, (given, shards) => {
        const whole = config(given);
        const layout = layoutOf('q', { count: shards, by: 'tenant' }, 1);
        checkSplit(whole, layout);
        const parts = layout.names.map((_, shard) => settingsOfShard(whole, layout, shard));
        for (const part of parts) expect(queueConfigSchema.safeParse(part).success).toBe(true);
        const sum = (of: (part: QueueConfig) => number | null | undefined) =>
          parts.reduce((total, part) => total + (of(part) ?? 0), 0);
        expect(sum((part) => part.depthLimit)).toBe(whole.depthLimit ?? 0);
        expect(sum((part) => part.concurrency)).toBe(whole.concurrency ?? 0);
        expect(sum((part) => part.completedKeep)).toBe(whole.completedKeep);
        expect(sum((part) => part.completedKeepBytes)).toBe(whole.completedKeepBytes ?? 0);
        expect(sum((part) => part.rate?.burst)).toBe(whole.rate?.burst ?? 0);
        expect(sum((part) => part.rate?.perSecond)).toBeCloseTo(whole.rate?.perSecond ?? 0, 3);
      }),
    );
  });

  it('leave everything that is not a limit on the whole queue as it is', () => {
    const whole = config({ maxDeliveries: 9, fair: 'tenant', deadKeepMs: 60_000 });
    const part = settingsOfShard(whole, layoutOf('q', { count: 3, by: 'tenant' }, 1), 2);
    expect(part).toMatchObject({ maxDeliveries: 9, fair: 'tenant', deadKeepMs: 60_000 });
  });
});

describe('settings that shards cannot keep', () => {
  const tenantLimit = { rate: null, concurrency: 1 };
  it.each([
    ['depthLimit', { depthLimit: 2 }],
    ['concurrency', { concurrency: 2 }],
    ['rate.burst', { rate: { perSecond: 10, burst: 2 } }],
    ['rate.perSecond', { rate: { perSecond: 0.002, burst: 3 } }],
    ['completedKeepBytes', { completedKeepBytes: 2_048 }],
    ['tenantLimit', { tenantLimit }],
    ['tenantLimits', { tenantLimits: { acme: tenantLimit } }],
  ])('are refused by the name of the field: %s', (field, part) => {
    const layout = layoutOf('orders', { count: 3, by: 'id' }, 1);
    expect(() => checkSplit(config(part), layout)).toThrow(
      expect.objectContaining({ code: 'VALIDATION', fields: [expect.objectContaining({ field })] }),
    );
    checkSplit(config(part), layoutOf('orders', { count: 1, by: 'id' }, 1));
  });

  it('may limit tenants where each tenant is in one shard', () => {
    checkSplit(config({ tenantLimit }), layoutOf('orders', { count: 3, by: 'tenant' }, 1));
  });
});

describe('what was asked for', () => {
  it('comes back from any shard', () => {
    fc.assert(
      fc.property(limits, count, fc.nat(), (given, shards, revision) => {
        const whole = config(given);
        const layout = layoutOf('q', { count: shards, by: 'tenant' }, 4);
        const kept = parseTotals(totalsJson(whole, 4, revision));
        expect(withTotals(settingsOfShard(whole, layout, shards - 1), kept)).toEqual(whole);
      }),
    );
  });

  it('is the newest: by sharding first, then by revision', () => {
    const at = (generation: number, revision: number) =>
      parseTotals(totalsJson(QUEUE_CONFIG_DEFAULT, generation, revision)) as NonNullable<
        ReturnType<typeof parseTotals>
      >;
    expect(isNewerTotals(at(1, 0), null)).toBe(true);
    expect(isNewerTotals(at(1, 5), at(1, 4))).toBe(true);
    expect(isNewerTotals(at(1, 4), at(1, 4))).toBe(false);
    expect(isNewerTotals(at(2, 1), at(1, 9))).toBe(true);
    expect(isNewerTotals(at(1, 9), at(2, 1))).toBe(false);
  });

  it.each(['', '{', 'null', '[]', '{"generation":1}', '{"generation":1,"revision":1,"depthLimit":"x"}'])(
    'is unknown when it cannot be read: %s',
    (text) => {
      expect(parseTotals(text)).toBeNull();
      expect(withTotals(QUEUE_CONFIG_DEFAULT, parseTotals(text))).toEqual(QUEUE_CONFIG_DEFAULT);
    },
  );
});
