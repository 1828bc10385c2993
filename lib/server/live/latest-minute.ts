/** The minute up to now: charts end with it, where their whole minutes end one to two minutes ago. Pure. */
import { type QueueReading, slidingCount } from '@/lib/broker';
import type { LatestMinute } from '@/lib/contract/history/history-schemas';

type Reading = Pick<QueueReading, 'at' | 'counts' | 'recent' | 'oldestReadyAgeMs'>;
type Activity = Reading['recent'][number];

/** @param readings of the queues of the chart @param workers live ones; null: numbers of several queues do not add up */
export function latestMinute(readings: readonly Reading[], workers: number | null): LatestMinute | null {
  if (readings.length === 0) return null;
  const sum = (of: (reading: Reading) => number) => readings.reduce((total, one) => total + of(one), 0);
  const inMinute = (of: (one: Activity) => number) =>
    Math.round(sum(({ recent, at }) => slidingCount(recent, at, 1, of)));
  return {
    at: Math.max(...readings.map(({ at }) => at)),
    depth: {
      ready: sum(({ counts }) => counts.ready),
      inFlight: sum(({ counts }) => counts['in-flight']),
      scheduled: sum(({ counts }) => counts.scheduled),
      retry: sum(({ counts }) => counts.retry),
      held: sum(({ counts }) => counts.held),
      dead: sum(({ counts }) => counts.dead),
    },
    oldestAgeMs: Math.max(...readings.map(({ oldestReadyAgeMs }) => oldestReadyAgeMs ?? 0)),
    counts: {
      arrivals: inMinute(({ enqueued }) => enqueued),
      completed: inMinute(({ completed }) => completed),
      failed: inMinute(({ failed }) => failed),
      lost: inMinute(({ reclaimed }) => reclaimed),
      died: inMinute(({ dead }) => dead),
    },
    workers,
  };
}
