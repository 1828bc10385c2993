/** Prometheus metrics. What Redis counts is passed through as it stands there, so replicas agree and restarts lose nothing. */
import { collectDefaultMetrics, Registry } from 'prom-client';
import { type QueueReading, RUN_TIME_BUCKETS_MS } from '@/lib/broker';
import { METRICS_QUEUES_MAX } from '@/lib/contract/queue';
import type { Worker } from '@/lib/contract/workers';
import { getBroker } from './broker';
import { getHub } from './hub';
import { FAMILIES } from './metric-families';
import { getSampler } from './sampler';
import { singleton } from './singleton';

const registry = singleton('metrics', () => {
  const made = new Registry();
  collectDefaultMetrics({ register: made });
  return made;
});

/**
 * The exposition text, of the queues that have `q` in their name. Queue names obey the pattern of names, so they need no escaping as label
 * values.
 */
export async function metricsText(q: string): Promise<string> {
  const sampler = getSampler();
  const { frame } = await sampler.current();
  const wanted = q.toLowerCase();
  const matching = sampler.readings.filter(({ queue }) => queue.toLowerCase().includes(wanted));
  const readings = matching.slice(0, METRICS_QUEUES_MAX);
  const lines: string[] = [];
  for (const family of FAMILIES) {
    lines.push(`# HELP ${family.name} ${family.help}`, `# TYPE ${family.name} ${family.type}`);
    for (const reading of readings) {
      const value = family.value(reading);
      if (value !== null) lines.push(`${family.name}{queue="${reading.queue}"} ${value}`);
    }
  }
  lines.push(...runTimes(readings), ...attempts(readings), ...breakers(frame.workers.workers));
  lines.push(
    '# HELP redrive_redis_up Whether the last reading of Redis succeeded',
    '# TYPE redrive_redis_up gauge',
    `redrive_redis_up ${frame.overview.fresh ? 1 : 0}`,
  );
  const { total, unread, at, oldestAt } = frame.overview;
  lines.push(
    ...gauge('redrive_queues', 'Queues there are', total + unread),
    ...gauge(
      'redrive_queues_left_out',
      `Queues whose metrics are not here: at most ${METRICS_QUEUES_MAX} are listed, by name; ?q= asks for others`,
      matching.length - readings.length,
    ),
    ...gauge('redrive_queues_unread', 'Queues whose turn to be read has not come yet', unread),
    ...gauge('redrive_queues_oldest_reading_ms', 'Age of the oldest numbers in this answer', at - oldestAt),
  );
  const { loss, losses } = getBroker().dataset.state();
  lines.push(
    '# HELP redrive_redis_data_losses_total How often this console found the data of Redis gone or replaced',
    '# TYPE redrive_redis_data_losses_total counter',
    `redrive_redis_data_losses_total ${losses}`,
    '# HELP redrive_redis_data_last_seen_timestamp_seconds When the data that were lost last were seen last; 0: none were lost',
    '# TYPE redrive_redis_data_last_seen_timestamp_seconds gauge',
    `redrive_redis_data_last_seen_timestamp_seconds ${(loss?.lastSeenAt ?? 0) / 1_000}`,
  );
  lines.push(
    '# HELP redrive_streams Open event streams',
    '# TYPE redrive_streams gauge',
    `redrive_streams ${getHub().size}`,
  );
  return `${lines.join('\n')}\n${await registry().metrics()}`;
}

const gauge = (name: string, help: string, value: number): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} gauge`,
  `${name} ${value}`,
];

/** By job type, not by worker: workers come and go, and each would leave a series behind. */
function breakers(workers: readonly Worker[]): string[] {
  const name = 'redis_job_breakers_open';
  const open = new Map<string, number>();
  for (const worker of workers)
    if (worker.end === null && worker.status !== 'lost')
      for (const { jobType, state } of worker.breakers)
        open.set(jobType, (open.get(jobType) ?? 0) + (state === 'closed' ? 0 : 1));
  return [
    `# HELP ${name} Live workers whose circuit breaker of this job type is open or half-open`,
    `# TYPE ${name} gauge`,
    ...[...open].map(([jobType, n]) => `${name}{type="${jobType}"} ${n}`),
  ];
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
