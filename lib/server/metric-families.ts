/** Metrics that are one number a queue: what each is called, what it means and where it comes from. */
import type { QueueReading } from '@/lib/broker';

interface Family {
  name: string;
  help: string;
  type: 'gauge' | 'counter';
  /** Null: has no value in this queue, and is left out. */
  value(reading: QueueReading): number | null;
}

export const FAMILIES: readonly Family[] = [
  {
    name: 'redis_job_ready_depth',
    help: 'Jobs that may be claimed now',
    type: 'gauge',
    value: (r) => r.counts.ready,
  },
  {
    name: 'redis_job_scheduled_depth',
    help: 'Jobs waiting for a time their producer set',
    type: 'gauge',
    value: (r) => r.counts.scheduled,
  },
  {
    name: 'redis_job_retry_depth',
    help: 'Jobs waiting out a backoff',
    type: 'gauge',
    value: (r) => r.counts.retry,
  },
  {
    name: 'redis_job_held_depth',
    help: 'Jobs of a paused tenant or type, or of a tenant at its limit',
    type: 'gauge',
    value: (r) => r.counts.held,
  },
  {
    name: 'redis_job_processing_depth',
    help: 'Jobs in flight',
    type: 'gauge',
    value: (r) => r.counts['in-flight'],
  },
  { name: 'redis_job_dead_depth', help: 'Dead letters', type: 'gauge', value: (r) => r.counts.dead },
  {
    name: 'redis_job_oldest_ready_age_ms',
    help: 'Age of the oldest ready job',
    type: 'gauge',
    value: (r) => r.oldestReadyAgeMs ?? 0,
  },
  {
    name: 'redis_job_overdue_lease_ms',
    help: 'How long the oldest expired lease waits to be reclaimed',
    type: 'gauge',
    value: (r) => r.overdueLeaseMs ?? 0,
  },
  { name: 'redis_job_paused', help: 'Pauses in force', type: 'gauge', value: (r) => r.pauses.length },
  {
    name: 'redis_job_draining',
    help: 'Whether new jobs are refused while the old ones finish',
    type: 'gauge',
    value: (r) => (r.draining ? 1 : 0),
  },
  {
    name: 'redis_job_depth',
    help: 'Jobs still to be done: ready, scheduled, retry and held',
    type: 'gauge',
    value: (r) => r.depth.jobs,
  },
  {
    name: 'redis_job_depth_limit',
    help: 'How many jobs the queue takes; absent when it takes any number',
    type: 'gauge',
    value: (r) => r.depth.limit,
  },
  {
    name: 'redis_job_throttled_tenants',
    help: 'Tenants whose jobs wait because of their rate or concurrency limit',
    type: 'gauge',
    value: (r) => r.throttledTenants,
  },
  {
    name: 'redis_job_dead_expire_ms',
    help: 'When retention deletes the oldest dead job, in ms since 1970; absent when never',
    type: 'gauge',
    value: (r) => r.deadExpireAt,
  },
  {
    name: 'redis_job_shards',
    help: 'Hash slots the queue is spread over',
    type: 'gauge',
    value: (r) => r.shards.count,
  },
  {
    name: 'redis_job_shards_unavailable',
    help: 'Shards that cannot be read: the other numbers leave them out',
    type: 'gauge',
    value: (r) => r.shards.unavailable.length,
  },
  {
    name: 'redis_job_ledger_difference',
    help: 'Enqueued minus all states minus deleted; not 0 is a defect',
    type: 'gauge',
    value: (r) => r.ledger.difference,
  },
  {
    name: 'redis_job_enqueued_total',
    help: 'Jobs enqueued',
    type: 'counter',
    value: (r) => r.totals.enqueued,
  },
  { name: 'redis_job_claim_total', help: 'Jobs claimed', type: 'counter', value: (r) => r.totals.claimed },
  {
    name: 'redis_job_success_total',
    help: 'Jobs completed',
    type: 'counter',
    value: (r) => r.totals.completed,
  },
  {
    name: 'redis_job_retry_total',
    help: 'Retries scheduled',
    type: 'counter',
    value: (r) => r.totals.retried,
  },
  { name: 'redis_job_dead_total', help: 'Jobs dead-lettered', type: 'counter', value: (r) => r.totals.dead },
  {
    name: 'redis_job_recovered_total',
    help: 'Lost leases reclaimed',
    type: 'counter',
    value: (r) => r.totals.reclaimed,
  },
  {
    name: 'redis_job_redriven_total',
    help: 'Dead letters put back',
    type: 'counter',
    value: (r) => r.totals.redriven,
  },
  {
    name: 'redis_job_duplicate_total',
    help: 'Enqueues answered as duplicates',
    type: 'counter',
    value: (r) => r.totals.duplicates,
  },
];
