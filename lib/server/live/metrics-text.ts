/** Prometheus metrics. Redis keeps the counters, so replicas agree and restarts lose nothing. */
import { setImmediate } from 'node:timers/promises';
import type { QueueReading } from '@/lib/broker';
import { METRICS_QUEUES_MAX } from '@/lib/contract/queues/queue-limits';
import { getBroker } from '../console-broker';
import { processMetrics } from '../process-metrics';
import { getLiveHub } from './live-hub';
import { QUEUE_HISTOGRAMS, QUEUE_METRICS } from './metric-families';
import { gauge, histogram, metric } from './metric-lines';
import { getSampler } from './sampler';
import { PerSample } from './snapshot-bodies';
import { findingMetrics, operationMetrics, workerMetrics } from './state-metrics';

const QUEUES_AT_ONCE = 250;

/**
 * The exposition text, of the queues that have `q` in their name. Queue names obey the pattern of names, so they need no escaping as label
 * values.
 */
export async function metricsText(q: string): Promise<string> {
  const sampler = getSampler();
  const sample = await sampler.current();
  const { frame } = sample;
  const { text, leftOut } = await queueTexts.of(sample, q, () => queuesText(sampler.readings, q));
  const { total, unread, at, oldestAt, fresh, redis } = frame.overview;
  const { loss, losses } = getBroker().dataset.state();
  const lines = [
    ...workerMetrics(frame.workers.workers),
    ...findingMetrics(frame.overview.verdict),
    ...operationMetrics(frame.operations),
    ...gauge('redrive_redis_up', 'Whether the last reading of Redis succeeded', fresh ? 1 : 0),
    ...gauge(
      'redrive_redis_round_trip_ms',
      'Time of the latest reading of Redis; absent while it cannot be read',
      redis.roundTripMs,
    ),
    ...gauge(
      'redrive_redis_used_memory_bytes',
      'Memory that Redis uses; absent until it was read',
      redis.usedMemoryBytes,
    ),
    ...gauge('redrive_queues', 'Queues there are', total + unread),
    ...gauge(
      'redrive_queues_left_out',
      `Queues without metrics here: at most ${METRICS_QUEUES_MAX} are listed, by name; ?q= selects others`,
      leftOut,
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
  ];
  return `${text}${lines.join('\n')}\n${await processMetrics().registry.metrics()}`;
}

interface QueuesText {
  readonly text: string;
  /** Queues beyond the most that are listed. */
  readonly leftOut: number;
}
const queueTexts = new PerSample<Promise<QueuesText>>();

/** One metric after the other: thousands of queues must not hold the event loop for as long as all of them take. */
async function queuesText(all: readonly QueueReading[], q: string): Promise<QueuesText> {
  const wanted = q.toLowerCase();
  const matching = all.filter(({ queue }) => queue.toLowerCase().includes(wanted));
  const readings = matching.slice(0, METRICS_QUEUES_MAX);
  let text = '';
  for (const [name, type, help, read] of QUEUE_METRICS) {
    const values = readings.map((reading) => [`{queue="${reading.queue}"}`, read(reading)] as const);
    text += `${metric(`redis_job_${name}`, type, help, values).join('\n')}\n`;
    if (readings.length > QUEUES_AT_ONCE) await setImmediate();
  }
  for (const { name, help, bounds, value } of QUEUE_HISTOGRAMS) {
    const parts: string[] = [];
    for (let from = 0; from === 0 || from < readings.length; from += QUEUES_AT_ONCE) {
      const some = readings.slice(from, from + QUEUES_AT_ONCE);
      const values = some.map((reading) => ({ queue: reading.queue, ...value(reading) }));
      const lines = histogram(`redis_job_${name}`, help, bounds, values);
      // The first two lines say what it is, once for all.
      parts.push(...(from === 0 ? lines : lines.slice(2)));
      if (readings.length > QUEUES_AT_ONCE) await setImmediate();
    }
    text += `${parts.join('\n')}\n`;
  }
  return { text, leftOut: matching.length - readings.length };
}
