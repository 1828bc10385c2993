/** Orders and marks of queues. Pure, so that the table, the cards and the tests agree. */
import type { QueueSnapshot, QueueSums, Verdict } from '@/lib/contract/queue';

export type Level = Verdict['level'];
const RANK: Readonly<Record<Level, number>> = { bad: 0, warn: 1, ok: 2 };

/** Ages within one band count as equal: queues must not change places each second. */
const AGE_BANDS_MS = [1_000, 5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000, 21_600_000, 86_400_000];

export interface RankedQueue {
  queue: QueueSnapshot;
  level: Level;
}

/** Worst first: by the worst finding, then by how long the oldest ready job has waited, then by name. */
export function worstFirst(queues: readonly QueueSnapshot[]): RankedQueue[] {
  return queues
    .map(ranked)
    .sort(
      (a, b) =>
        RANK[a.level] - RANK[b.level] ||
        ageBand(b.queue.oldestReadyAgeMs) - ageBand(a.queue.oldestReadyAgeMs) ||
        a.queue.queue.localeCompare(b.queue.queue),
    );
}

export const ranked = (queue: QueueSnapshot): RankedQueue => ({ queue, level: queue.level });

export const ageBand = (ageMs: number | null): number =>
  ageMs === null ? -1 : AGE_BANDS_MS.filter((bound) => ageMs >= bound).length;

/** Some shards cannot be read: the numbers are of the others. */
export const isPartial = ({ shards }: QueueSnapshot): boolean => shards.unavailable.length > 0;

/** From this share of its depth limit on a queue is worth a mark. */
const NEARLY_FULL = 0.9;

/** How full a queue is, once that is worth a word; 1: full. */
export function fullness({ depth: { jobs, limit } }: QueueSnapshot): number | null {
  if (limit === null || jobs < limit * NEARLY_FULL) return null;
  return Math.min(1, jobs / limit);
}

export interface MinutePoint {
  /** Its first millisecond since 1970; the contract counts minutes. */
  at: number;
  enqueued: number;
  completed: number;
  failed: number;
}

const MINUTE_MS = 60_000;

/** Of all queues, for the chart. */
export const minutesOf = ({ minutes }: QueueSums): MinutePoint[] =>
  minutes.map(({ minute, ...counts }) => ({ at: minute * MINUTE_MS, ...counts }));

/** What the time to drain means, in the words of a cell. */
export function drainOf(queue: QueueSnapshot): number | 'never' | 'paused' | null {
  if (queue.counts.ready === 0) return queue.drainMs;
  if (queue.pauses.some((pause) => pause.scope === 'queue')) return 'paused';
  return queue.drainMs ?? 'never';
}
