/** The metrics of queues, `redis_job_<name>`: those with one number a queue, and the histograms. */
import { type QueueReading, RUN_TIME_BUCKETS_MS } from '@/lib/broker';

type Family = readonly [
  name: string,
  type: 'gauge' | 'counter',
  help: string,
  /** Null: this queue has no value, and the metric leaves it out. */
  value: (reading: QueueReading) => number | null,
];

export const QUEUE_METRICS: readonly Family[] = [
  ['ready_depth', 'gauge', 'Jobs that wait for a worker to claim them', (r) => r.counts.ready],
  ['scheduled_depth', 'gauge', 'Jobs waiting for a time their producer set', (r) => r.counts.scheduled],
  ['retry_depth', 'gauge', 'Jobs waiting out a backoff', (r) => r.counts.retry],
  [
    'held_depth',
    'gauge',
    'Jobs of a paused tenant or type, or of a tenant at its limit',
    (r) => r.counts.held,
  ],
  ['processing_depth', 'gauge', 'Jobs in flight', (r) => r.counts['in-flight']],
  ['dead_depth', 'gauge', 'Dead letters', (r) => r.counts.dead],
  ['oldest_ready_age_ms', 'gauge', 'Age of the oldest ready job', (r) => r.oldestReadyAgeMs ?? 0],
  [
    'overdue_lease_ms',
    'gauge',
    'Time since the oldest unreclaimed lease expired',
    (r) => r.overdueLeaseMs ?? 0,
  ],
  ['paused', 'gauge', 'Active pauses', (r) => r.pauses.length],
  ['draining', 'gauge', '1 while the queue drains: it refuses new jobs', (r) => (r.draining ? 1 : 0)],
  ['depth', 'gauge', 'Jobs to be done: ready, scheduled, retry and held', (r) => r.depth.jobs],
  ['depth_limit', 'gauge', 'Depth limit of the queue; absent without a limit', (r) => r.depth.limit],
  ['objective_age_ms', 'gauge', 'Objective: age of the oldest ready job', (r) => r.objectives.ageMs],
  [
    'objective_failure_ratio',
    'gauge',
    'Objective: share of runs that fail, 0 to 1',
    (r) => r.objectives.failureRatio,
  ],
  ['objective_depth', 'gauge', 'Objective: jobs to be done; absent without one', (r) => r.objectives.depth],
  ['throttled_tenants', 'gauge', 'Tenants at their rate or concurrency limit', (r) => r.throttledTenants],
  [
    'dead_expire_ms',
    'gauge',
    'When retention deletes the oldest dead job, in ms since 1970; absent when never',
    (r) => r.deadExpireAt,
  ],
  ['shards', 'gauge', 'Shards of the queue', (r) => r.shards.count],
  [
    'shards_unavailable',
    'gauge',
    'Shards that cannot be read: the other numbers leave them out',
    (r) => r.shards.unavailable.length,
  ],
  [
    'ledger_difference',
    'gauge',
    'Enqueued minus all states minus deleted; not 0 is a defect',
    (r) => r.ledger.difference,
  ],
  ['enqueued_total', 'counter', 'Jobs enqueued', (r) => r.totals.enqueued],
  ['claim_total', 'counter', 'Jobs claimed', (r) => r.totals.claimed],
  ['success_total', 'counter', 'Jobs completed', (r) => r.totals.completed],
  ['retry_total', 'counter', 'Retries scheduled', (r) => r.totals.retried],
  ['dead_total', 'counter', 'Jobs dead-lettered', (r) => r.totals.dead],
  ['recovered_total', 'counter', 'Expired leases reclaimed', (r) => r.totals.reclaimed],
  ['redriven_total', 'counter', 'Dead letters re-driven', (r) => r.totals.redriven],
  ['duplicate_total', 'counter', 'Enqueues answered as duplicates', (r) => r.totals.duplicates],
];

const ATTEMPT_BOUNDS = [1, 2, 3, 5, 8, 13, 20];

interface HistogramFamily {
  readonly name: string;
  readonly help: string;
  readonly bounds: readonly number[];
  /** `sum` null: Redis does not keep it. */
  readonly value: (reading: QueueReading) => {
    readonly counts: readonly (readonly [number, number])[];
    readonly sum: number | null;
  };
}

const durations = (buckets: ReadonlyMap<string, number>) =>
  [...buckets].map(([bound, count]) => [bound === 'inf' ? Infinity : Number(bound), count] as const);

export const QUEUE_HISTOGRAMS: readonly HistogramFamily[] = [
  {
    name: 'wait_duration_ms',
    help: 'In ready before a claim; the first job of a claim call counts for all of its jobs; without _sum',
    bounds: RUN_TIME_BUCKETS_MS,
    value: ({ waitTimes }) => ({ counts: durations(waitTimes), sum: null }),
  },
  {
    name: 'execution_duration_ms',
    help: 'From claim to completion, of completed jobs',
    bounds: RUN_TIME_BUCKETS_MS,
    value: ({ runTimes: { buckets, sumMs } }) => ({ counts: durations(buckets), sum: sumMs }),
  },
  {
    name: 'end_to_end_duration_ms',
    help: 'From enqueue to completion, of completed jobs; workers report it every 5 s',
    bounds: RUN_TIME_BUCKETS_MS,
    value: ({ endToEndTimes: { buckets, sumMs } }) => ({ counts: durations(buckets), sum: sumMs }),
  },
  {
    name: 'attempts',
    help: 'Attempts of a completed job',
    bounds: ATTEMPT_BOUNDS,
    value: ({ attempts }) => ({
      counts: [...attempts],
      sum: [...attempts].reduce((sum, [attempt, count]) => sum + attempt * count, 0),
    }),
  },
];
