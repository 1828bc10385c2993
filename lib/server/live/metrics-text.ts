/** Prometheus metrics. Redis keeps the counters, so replicas agree and restarts lose nothing. */
import { collectDefaultMetrics, Registry } from 'prom-client';
import { RUN_TIME_BUCKETS_MS } from '@/lib/broker';
import { METRICS_QUEUES_MAX } from '@/lib/contract/queues/queue-limits';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { getBroker } from '../console-broker';
import { singleton } from '../singleton';
import { getLiveHub } from './live-hub';
import { QUEUE_METRICS } from './metric-families';
import { getSampler } from './sampler';

const ATTEMPT_BOUNDS = [1, 2, 3, 5, 8, 13, 20];

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
  const { total, unread, at, oldestAt, fresh } = frame.overview;
  const { loss, losses } = getBroker().dataset.state();
  const lines = QUEUE_METRICS.flatMap(([name, type, help, read]) => {
    const values = readings.map((reading) => [`{queue="${reading.queue}"}`, read(reading)] as const);
    return metric(`redis_job_${name}`, type, help, values);
  });
  lines.push(
    ...histogram(
      'redis_job_execution_duration_ms',
      'From claim to completion, of completed jobs',
      RUN_TIME_BUCKETS_MS,
      readings.map(({ queue, runTimes: { buckets, sumMs } }) => ({
        queue,
        counts: [...buckets].map(([bound, count]) => [bound === 'inf' ? Infinity : Number(bound), count]),
        sum: sumMs,
      })),
    ),
    ...histogram(
      'redis_job_attempts',
      'Attempts of a completed job',
      ATTEMPT_BOUNDS,
      readings.map(({ queue, attempts }) => ({
        queue,
        counts: [...attempts],
        sum: [...attempts].reduce((sum, [attempt, count]) => sum + attempt * count, 0),
      })),
    ),
    ...openBreakers(frame.workers.workers),
    ...gauge('redrive_redis_up', 'Whether the last reading of Redis succeeded', fresh ? 1 : 0),
    ...gauge('redrive_queues', 'Queues there are', total + unread),
    ...gauge(
      'redrive_queues_left_out',
      `Queues without metrics here: at most ${METRICS_QUEUES_MAX} are listed, by name; ?q= selects others`,
      matching.length - readings.length,
    ),
    ...gauge('redrive_queues_unread', 'Queues that this console has not read yet', unread),
    ...gauge('redrive_queues_oldest_reading_ms', 'Age of the oldest numbers listed here', at - oldestAt),
    ...metric(
      'redrive_redis_data_losses_total',
      'counter',
      'How often this console found the data of Redis gone or replaced',
      [['', losses]],
    ),
    ...gauge(
      'redrive_redis_data_last_seen_timestamp_seconds',
      'When this console last saw the data that Redis then lost; 0: it lost none',
      (loss?.lastSeenAt ?? 0) / 1_000,
    ),
    ...gauge('redrive_streams', 'Open event streams', getLiveHub().size),
  );
  return `${lines.join('\n')}\n${await registry().metrics()}`;
}

/** By job type, not by worker: workers come and go, and each would leave a series behind. */
function openBreakers(workers: readonly Worker[]): string[] {
  const open = new Map<string, number>();
  for (const worker of workers)
    if (worker.end === null && worker.status !== 'lost')
      for (const { jobType, state } of worker.breakers)
        open.set(jobType, (open.get(jobType) ?? 0) + (state === 'closed' ? 0 : 1));
  return metric(
    'redis_job_breakers_open',
    'gauge',
    'Live workers with an open or half-open circuit breaker for this job type',
    [...open].map(([jobType, count]) => [`{type="${jobType}"}`, count]),
  );
}

type Labelled<Value> = readonly (readonly [labels: string, value: Value])[];

const metric = (name: string, type: string, help: string, values: Labelled<number | null>): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
  ...values.flatMap(([labels, value]) => (value === null ? [] : [`${name}${labels} ${value}`])),
];

const gauge = (name: string, help: string, value: number): string[] =>
  metric(name, 'gauge', help, [['', value]]);

interface Distribution {
  readonly queue: string;
  readonly counts: readonly (readonly number[])[];
  readonly sum: number;
}

function histogram(
  name: string,
  help: string,
  bounds: readonly number[],
  distributions: readonly Distribution[],
): string[] {
  const values = distributions.flatMap(({ queue, counts, sum }) => {
    const upTo = (bound: number) =>
      counts.reduce((total, [value = 0, count = 0]) => total + (value <= bound ? count : 0), 0);
    const all = upTo(Infinity);
    return [
      ...bounds.map((bound) => [`_bucket{queue="${queue}",le="${bound}"}`, upTo(bound)] as const),
      [`_bucket{queue="${queue}",le="+Inf"}`, all] as const,
      [`_sum{queue="${queue}"}`, sum] as const,
      [`_count{queue="${queue}"}`, all] as const,
    ];
  });
  return metric(name, 'histogram', help, values);
}
