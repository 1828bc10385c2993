/** Order and warning levels of queues; pure. */
import type { QueueSnapshot, QueueSums, Verdict } from '@/lib/contract/queues/queue-schemas';

export type Level = Verdict['level'];
const RANK: Readonly<Record<Level, number>> = { bad: 0, warn: 1, ok: 2 };

/** Ages within one band count as equal, so that queues do not swap every second. */
const AGE_BANDS_MS = [1_000, 5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000, 21_600_000, 86_400_000];

/** By worst finding, then age of the oldest ready job, then name. */
export const worstFirst = (queues: readonly QueueSnapshot[]): QueueSnapshot[] =>
  [...queues].sort(
    (a, b) =>
      RANK[a.level] - RANK[b.level] ||
      ageBand(b.oldestReadyAgeMs) - ageBand(a.oldestReadyAgeMs) ||
      a.queue.localeCompare(b.queue),
  );

export const ageBand = (ageMs: number | null): number =>
  ageMs === null ? -1 : AGE_BANDS_MS.filter((bound) => ageMs >= bound).length;

export interface MinutePoint {
  /** In ms since 1970; the contract counts minutes. */
  at: number;
  enqueued: number;
  completed: number;
  failed: number;
}

const MINUTE_MS = 60_000;

export const minutePoints = ({ minutes }: QueueSums): MinutePoint[] =>
  minutes.map(({ minute, ...counts }) => ({ at: minute * MINUTE_MS, ...counts }));
