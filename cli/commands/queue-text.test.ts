import { expect, it } from 'vitest';
import type { QueueSnapshot } from '@/lib/contract/queues/queue-schemas';
import { CALM_QUEUE } from '@/testing/worlds/queue-snapshot';
import { drainText } from './queue-text';

const waiting = (over: Partial<QueueSnapshot> = {}): QueueSnapshot => ({
  ...CALM_QUEUE,
  counts: { ...CALM_QUEUE.counts, ready: 3 },
  ...over,
});
const drain = (trend: 'shrinking' | 'steady' | 'growing', ms: number | null = null) => ({
  drain: { trend, ms, growthPerSecond: null, workersNeeded: null },
});
const pauses = [{ scope: 'queue' as const, since: 0, until: null, actor: 'Ada', reason: 'refunds' }];

it.each([
  ['nothing is ready', CALM_QUEUE, 'nothing to drain'],
  ['the queue is paused', waiting({ pauses }), 'never: the queue is paused'],
  ['no worker listens', waiting({ workers: 0 }), 'never: no worker listens'],
  ['there is too little to tell', waiting(), 'not known yet'],
  ['the time is known', waiting(drain('shrinking', 4_000)), '4.0 s, shrinking'],
  ['only the trend is known', waiting(drain('shrinking')), 'not known yet: the backlog is shrinking'],
  ['it grows', waiting(drain('growing')), 'never: the backlog is growing'],
] as const)('the time to drain is said as it is: %s', (_, queue, text) =>
  expect(drainText(queue)).toBe(text),
);
