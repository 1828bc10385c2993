/** Prometheus metrics. What Redis counts is passed through as it stands there, so replicas agree and restarts lose nothing. */
import { collectDefaultMetrics, Registry } from 'prom-client';
import { type QueueReading, RUN_TIME_BUCKETS_MS } from '@/lib/broker';
import { getHub } from './hub';
import { getSampler } from './sampler';
import { singleton } from './singleton';

const registry = singleton('metrics', () => {
  const made = new Registry();
  collectDefaultMetrics({ register: made });
  return made;
});

interface Family {
  name: string;
  help: string;
  type: 'gauge' | 'counter';
  value(reading: QueueReading): number;
}

const FAMILIES: readonly Family[] = [
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
    help: 'Jobs of a paused tenant or type',
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

/** The exposition text. Queue names obey the pattern of names, so they need no escaping as label values. */
export async function metricsText(): Promise<string> {
  const sampler = getSampler();
  const frame = await sampler.current();
  const readings = sampler.readings;
  const lines: string[] = [];
  for (const family of FAMILIES) {
    lines.push(`# HELP ${family.name} ${family.help}`, `# TYPE ${family.name} ${family.type}`);
    for (const reading of readings)
      lines.push(`${family.name}{queue="${reading.queue}"} ${family.value(reading)}`);
  }
  lines.push(...runTimes(readings), ...attempts(readings));
  lines.push(
    '# HELP redrive_redis_up Whether the last reading of Redis succeeded',
    '# TYPE redrive_redis_up gauge',
    `redrive_redis_up ${frame.overview.fresh ? 1 : 0}`,
  );
  lines.push(
    '# HELP redrive_streams Open event streams',
    '# TYPE redrive_streams gauge',
    `redrive_streams ${getHub().size}`,
  );
  return `${lines.join('\n')}\n${await registry().metrics()}`;
}

function runTimes(readings: readonly QueueReading[]): string[] {
  const name = 'redis_job_execution_duration_ms';
  const lines = [`# HELP ${name} From claim to completion, of completed jobs`, `# TYPE ${name} histogram`];
  for (const { queue, runTimes: times } of readings) {
    let count = 0;
    for (const le of RUN_TIME_BUCKETS_MS) {
      count += times.buckets.get(String(le)) ?? 0;
      lines.push(`${name}_bucket{queue="${queue}",le="${le}"} ${count}`);
    }
    count += times.buckets.get('inf') ?? 0;
    lines.push(
      `${name}_bucket{queue="${queue}",le="+Inf"} ${count}`,
      `${name}_sum{queue="${queue}"} ${times.sumMs}`,
      `${name}_count{queue="${queue}"} ${count}`,
    );
  }
  return lines;
}

function attempts(readings: readonly QueueReading[]): string[] {
  const name = 'redis_job_attempts';
  const bounds = [1, 2, 3, 5, 8, 13, 20];
  const lines = [`# HELP ${name} Attempts a completed job took`, `# TYPE ${name} histogram`];
  for (const reading of readings) {
    const entries = [...reading.attempts];
    const upTo = (bound: number) =>
      entries.reduce((sum, [attempt, count]) => sum + (attempt <= bound ? count : 0), 0);
    for (const bound of bounds)
      lines.push(`${name}_bucket{queue="${reading.queue}",le="${bound}"} ${upTo(bound)}`);
    const count = upTo(Number.POSITIVE_INFINITY);
    const sum = entries.reduce((total, [attempt, n]) => total + attempt * n, 0);
    lines.push(
      `${name}_bucket{queue="${reading.queue}",le="+Inf"} ${count}`,
      `${name}_sum{queue="${reading.queue}"} ${sum}`,
      `${name}_count{queue="${reading.queue}"} ${count}`,
    );
  }
  return lines;
}
