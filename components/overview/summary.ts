/** Sums and orders over all queues. Pure, so that the table, the cards and the tests agree. */
import type { Overview, QueueSnapshot, Verdict } from '@/lib/contract/queue';
import { type Counts, JOB_STATES } from '@/lib/contract/states';

export type Level = Verdict['level'];
const RANK: Readonly<Record<Level, number>> = { bad: 0, warn: 1, ok: 2 };

/** Ages within one band count as equal: queues must not change places each second. */
const AGE_BANDS_MS = [1_000, 5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000, 21_600_000, 86_400_000];

export interface RankedQueue {
  queue: QueueSnapshot;
  level: Level;
}

/** Worst first: by the worst finding, then by how long the oldest ready job has waited, then by name. */
export function worstFirst(overview: Overview): RankedQueue[] {
  const levels = levelsOf(overview.verdict);
  return overview.queues
    .map((queue) => ({ queue, level: levels.get(queue.queue) ?? ('ok' as const) }))
    .sort(
      (a, b) =>
        RANK[a.level] - RANK[b.level] ||
        ageBand(b.queue.oldestReadyAgeMs) - ageBand(a.queue.oldestReadyAgeMs) ||
        a.queue.queue.localeCompare(b.queue.queue),
    );
}

function levelsOf(verdict: Verdict): Map<string, Level> {
  const levels = new Map<string, Level>();
  for (const { queue, level } of verdict.findings) {
    if (queue === null) continue;
    const known = levels.get(queue);
    if (known === undefined || RANK[level] < RANK[known]) levels.set(queue, level);
  }
  return levels;
}

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

export interface Totals {
  /** Some queue is: the sums are at least what they say. */
  partial: boolean;
  counts: Counts;
  oldestReadyAgeMs: number | null;
  arrivalPerSecond: number | null;
  completedPerSecond: number | null;
  failureRatio: number | null;
  /** When the slowest queue is empty; null when none drains. */
  drainMs: number | null;
  difference: number;
}

export function totalsOf(queues: readonly QueueSnapshot[]): Totals {
  const counts = Object.fromEntries(
    JOB_STATES.map((state) => [state, queues.reduce((sum, queue) => sum + queue.counts[state], 0)]),
  ) as Counts;
  const completedPerSecond = sumKnown(queues.map((queue) => queue.rates.completedPerSecond));
  const failedPerSecond = sumKnown(queues.map((queue) => queue.rates.failedPerSecond));
  const ended = (completedPerSecond ?? 0) + (failedPerSecond ?? 0);
  return {
    partial: queues.some(isPartial),
    counts,
    oldestReadyAgeMs: maxKnown(queues.map((queue) => queue.oldestReadyAgeMs)),
    arrivalPerSecond: sumKnown(queues.map((queue) => queue.rates.arrivalPerSecond)),
    completedPerSecond,
    failureRatio: ended > 0 ? (failedPerSecond ?? 0) / ended : null,
    drainMs: maxKnown(queues.map((queue) => queue.drainMs)),
    difference: queues.reduce((sum, queue) => sum + Math.abs(queue.ledger.difference), 0),
  };
}

const known = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null);

function sumKnown(values: readonly (number | null)[]): number | null {
  const numbers = known(values);
  return numbers.length === 0 ? null : numbers.reduce((sum, value) => sum + value, 0);
}

function maxKnown(values: readonly (number | null)[]): number | null {
  const numbers = known(values);
  return numbers.length === 0 ? null : Math.max(...numbers);
}

export interface MinutePoint {
  /** Its first millisecond since 1970; the contract counts minutes. */
  at: number;
  enqueued: number;
  completed: number;
  failed: number;
}

const MINUTE_MS = 60_000;

/** Whole minutes summed over all queues, oldest first; the one under way would only look like a fall. */
export function minutesOf(queues: readonly QueueSnapshot[]): MinutePoint[] {
  const points = new Map<number, MinutePoint>();
  for (const { minutes } of queues) {
    for (const { minute, enqueued, completed, failed } of minutes.slice(0, -1)) {
      const point = points.get(minute) ?? { at: minute * MINUTE_MS, enqueued: 0, completed: 0, failed: 0 };
      points.set(minute, {
        ...point,
        enqueued: point.enqueued + enqueued,
        completed: point.completed + completed,
        failed: point.failed + failed,
      });
    }
  }
  return [...points.values()].sort((a, b) => a.at - b.at);
}

/** What the time to drain means, in the words of a cell. */
export function drainOf(queue: QueueSnapshot): number | 'never' | 'paused' | null {
  if (queue.counts.ready === 0) return queue.drainMs;
  if (queue.pauses.some((pause) => pause.scope === 'queue')) return 'paused';
  return queue.drainMs ?? 'never';
}
