import { expect, it } from 'vitest';
import type { QueueBreakdown, QueueShare } from '@/lib/contract/queues/breakdown-schemas';
import { completedSourceLabel, otherHeldLabel, readySourceLabel } from './breakdown-labels';

const share = (name: string, held: number) => ({ name, held }) as QueueShare;
const breakdown = (over: Partial<QueueBreakdown>) =>
  ({
    held: { total: 0, byTenant: 0, byType: 0 },
    tenants: [],
    types: [],
    completed: null,
    ...over,
  }) as unknown as QueueBreakdown;

it('B7: says what the column of held jobs does not count', () => {
  const held = { total: 443, byTenant: 179, byType: 264 };
  const both = breakdown({ held, tenants: [share('acme', 179)], types: [share('email.send', 264)] });
  expect(otherHeldLabel(both, 'tenant')).toBe('264 more are held by pauses of job types.');
  expect(otherHeldLabel(both, 'type')).toBe('179 more are held by pauses or limits of tenants.');
  expect(otherHeldLabel(breakdown({ held, tenants: [share('acme', 178)] }), 'tenant')).toBe(
    '264 more are held by pauses of job types. 1 more is held that no row counts.',
  );
  expect(otherHeldLabel(breakdown({}), 'tenant')).toBeNull();
});

it('B7: names the time that rates are of', () => {
  expect(completedSourceLabel(breakdown({ completed: { read: 42, windowMs: 60_000 } }))).toBe(
    'Rates from 42 completed jobs of the last 1 m.',
  );
});

it('calls nothing all or none while a shard is away', () => {
  const said = (total: number, unavailable: number[]) =>
    readySourceLabel({ ready: { total, read: total, exact: true }, unavailable });
  expect([said(0, []), said(7, []), said(0, [1]), said(7, [1])]).toEqual([
    'No ready jobs.',
    'All 7 ready jobs counted.',
    '0 ready jobs in the shards that can be read.',
    '7 ready jobs in the shards that can be read.',
  ]);
});
