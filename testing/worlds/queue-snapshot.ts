/** A queue in which nothing happens, for tests of what is made of its numbers: each names only what it is about. */
import type { QueueSnapshot } from '@/lib/contract/queues/queue-schemas';
import { rowOf, sumsOf } from '@/lib/server/live/page-of-queues';

export const NO_TOTALS: QueueSnapshot['totals'] = {
  enqueued: 0,
  deleted: 0,
  claimed: 0,
  completed: 0,
  failed: 0,
  retried: 0,
  dead: 0,
  reclaimed: 0,
  released: 0,
  redriven: 0,
  duplicates: 0,
};

export const CALM_QUEUE: QueueSnapshot = {
  queue: 'default',
  at: 0,
  level: 'ok',
  counts: {
    ready: 0,
    'in-flight': 0,
    scheduled: 0,
    retry: 0,
    held: 0,
    completed: 0,
    dead: 0,
    suppressed: 0,
    trashed: 0,
  },
  ledger: { enqueued: 0, inStates: 0, deleted: 0, difference: 0 },
  totals: NO_TOTALS,
  rates: {
    arrivalPerSecond: 0,
    completedPerSecond: 0,
    failedPerSecond: 0,
    lostPerSecond: 0,
    failureRatio: null,
    windowMs: 60_000,
  },
  oldestReadyAgeMs: null,
  nextDueAt: null,
  overdueLeaseMs: null,
  runTimeP95Ms: null,
  lastFiveMinutes: { runs: 0, failed: 0, died: 0 },
  objectives: { ageMs: 120_000, failureRatio: 0.2, depth: null },
  flow: { donePerSecond: 0, arrivalPerSecond: 0, chancePerSecond: 0 },
  drain: null,
  pauses: [],
  draining: false,
  depth: { jobs: 0, limit: null },
  throttledTenants: 0,
  deadExpireAt: null,
  shards: { count: 1, unavailable: [] },
  workers: 1,
};

/** What an overview says of these queues together. */
export const overviewOf = (queues: readonly QueueSnapshot[]) => ({
  alerts: { bad: 0, warn: 0 },
  total: queues.length,
  unread: 0,
  oldestAt: 0,
  sums: sumsOf(queues),
  queues: [...queues],
});

/** What an overview lists of these queues. */
export const rowsOf = (queues: readonly QueueSnapshot[], at = queues[0]?.at ?? 0) => ({
  ...overviewOf(queues),
  matching: queues.length,
  nextCursor: null,
  queues: queues.map((queue) => rowOf(queue, at)),
});
