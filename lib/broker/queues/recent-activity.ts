/** What happened in a queue lately, as Redis holds it: the same for every reader, however long that reader has been running. */

import { replyList, replyText } from '../redis/script-reply';
import { BUCKETS_MS, joinSpans, type RunSpan } from './percentile';

const COUNTED = ['enqueued', 'completed', 'failed', 'reclaimed', 'dead', 'redriven'] as const;
const MINUTE_MS = 60_000;

export type MinuteActivity = Readonly<Record<(typeof COUNTED)[number], number>> & {
  /** Minutes since 1970. */
  readonly minute: number;
};

/** How ready jobs come and go, over seconds rather than a minute; a sharded queue's is the sum over its shards. */
export interface JobFlow {
  /** Jobs that ended a second. */
  readonly donePerSecond: number;
  /** Jobs that became ready a second. */
  readonly arrivalPerSecond: number;
  /** By how much the difference of both may be off by chance: one standard deviation. */
  readonly chancePerSecond: number;
}

/** The minute under way at `at` and the five before it, the latest first. */
export function parseRecentMinutes(reply: unknown, at: number): MinuteActivity[] {
  const values = replyList(reply, 'snapshot');
  const latest = Math.floor(at / MINUTE_MS);
  const span = values.length / COUNTED.length;
  return Array.from({ length: span }, (_, back) => {
    const counts = COUNTED.map((name, i) => [name, Number(values[i * span + back] ?? 0)]);
    return { minute: latest - back, ...Object.fromEntries(counts) } as MinuteActivity;
  });
}

/** How many runs of a minute took up to each of the bounds above 5 ms, and longer. */
export interface MinuteRunTimes {
  /** Minutes since 1970. */
  readonly minute: number;
  readonly counts: readonly number[];
  /** Of a sample of its runs; null until the minute is over, or when Redis keeps no completed job. */
  readonly span: RunSpan | null;
}

/** Minutes in which jobs completed, from the one that was asked for on. */
export function parseRunTimes(reply: unknown): MinuteRunTimes[] {
  const [minutes, values] = replyList(reply, 'snapshot');
  if (minutes === undefined) return [];
  const fields = replyList(values, 'snapshot');
  // The first bucket is not counted; behind the others stands the span.
  const each = BUCKETS_MS.length;
  return replyList(minutes, 'snapshot').map((minute, i) => {
    const [leastMs, mostMs] = replyText(fields[(i + 1) * each - 1] ?? '')
      .split(' ')
      .map(Number);
    return {
      minute: Number(minute),
      counts: fields.slice(i * each, (i + 1) * each - 1).map((value) => Number(value ?? 0)),
      span: leastMs === undefined || mostMs === undefined ? null : { leastMs, mostMs },
    };
  });
}

export function mergeRunTimes(parts: readonly (readonly MinuteRunTimes[])[]): MinuteRunTimes[] {
  const sums = new Map<number, MinuteRunTimes>();
  for (const one of parts.flat()) {
    const sum = sums.get(one.minute);
    sums.set(one.minute, {
      ...one,
      counts: one.counts.map((count, i) => count + (sum?.counts[i] ?? 0)),
      span: joinSpans([one.span, sum?.span ?? null]),
    });
  }
  return [...sums.values()].sort((a, b) => a.minute - b.minute);
}

/** Sums of the same minutes; shards at the turn of a minute may differ by one. */
export function mergeRecentMinutes(parts: readonly (readonly MinuteActivity[])[]): MinuteActivity[] {
  const sums = new Map<number, MinuteActivity>();
  for (const one of parts.flat()) {
    const sum = sums.get(one.minute);
    const added = sum && Object.fromEntries(COUNTED.map((name) => [name, sum[name] + one[name]]));
    sums.set(one.minute, { ...one, ...added });
  }
  return [...sums.values()].sort((a, b) => b.minute - a.minute);
}

/** Fewer kept completions tell no rate; those of the minutes then stand. */
const KEPT_MIN = 20;
/** A backlog younger than this tells no arrivals: it may be one burst. */
const BACKLOG_MIN_MS = 3_000;

/**
 * @param reply see `flow` of recent_counts.lua
 * @param keptAll retention has removed no completed job
 * @param isPartlyPaused jobs of a tenant or type come, and are held instead of waiting for a worker: arrivals are at most what ends
 */
export function parseJobFlow(
  reply: unknown,
  recent: readonly MinuteActivity[],
  at: number,
  { keptAll, isPartlyPaused }: { keptAll: boolean; isPartlyPaused: boolean },
): JobFlow {
  const values = replyList(reply, 'snapshot');
  const [doneMs = 0, completed = 0, , dead = 0, spanMs = 0, arrived = 0, ...longer] = values.map(Number);
  const [longerMs = doneMs, completedLonger = completed, deadLonger = dead] = longer;
  const oldestKept = replyText(values[2]);
  // Retention may have removed completions of this time: count over the rest of it.
  const agoMs = keptAll ? Number.POSITIVE_INFINITY : oldestKept === '' ? 0 : at - Number(oldestKept);
  const shorter = doneOver(doneMs, Math.min(doneMs, agoMs), completed, dead);
  const isKept = completed >= KEPT_MIN || agoMs >= doneMs;
  const whole = doneOver(longerMs, Math.min(longerMs, agoMs), completedLonger, deadLonger);
  const done = isKept ? alike(shorter, whole) : byMinutes(recent, at);
  const donePerSecond = done.perSecond;
  const hasBacklog = spanMs > BACKLOG_MIN_MS;
  const waiting = perSecond(arrived, spanMs / 2);
  const usual = usualArrivalPerSecond(recent, at);
  const came = hasBacklog ? Math.max(usual, waiting) : usual;
  // Some of the jobs in ready are put aside when a claim comes to them: how many is not known, so no growth is claimed.
  const arrivalPerSecond = isPartlyPaused
    ? Math.min(donePerSecond, hasBacklog ? waiting : donePerSecond)
    : came;
  const chancePerSecond = Math.sqrt(
    variance(donePerSecond * RUNS_SPREAD, done.ms) +
      variance(arrivalPerSecond, hasBacklog ? spanMs / 2 : MINUTE_MS),
  );
  return { donePerSecond, arrivalPerSecond, chancePerSecond };
}

interface Measured {
  readonly perSecond: number;
  readonly ms: number;
}
const doneOver = (ms: number, keptMs: number, completed: number, dead: number): Measured => ({
  perSecond: perSecond(completed, keptMs) + perSecond(dead, ms),
  ms: keptMs,
});
const byMinutes = (recent: readonly MinuteActivity[], at: number): Measured => ({
  perSecond: slidingPerSecond(recent, at, ({ completed, dead }) => completed + dead),
  ms: MINUTE_MS,
});

/** Workers end jobs more evenly than jobs come. */
const RUNS_SPREAD = 0.5;
/** A latest rate that differs by more than so many standard deviations is another one. */
const ANOTHER = 3;
const alike = (shorter: Measured, longer: Measured): Measured =>
  Math.abs(shorter.perSecond - longer.perSecond) <=
  ANOTHER * Math.sqrt(variance(longer.perSecond * RUNS_SPREAD, shorter.ms))
    ? longer
    : shorter;
/** Of the rate of independent events that were counted for so long. */
const variance = (rate: number, ms: number): number => (ms > 0 ? (rate * 1_000) / ms : 0);

const perSecond = (count: number, ms: number): number => (ms > 0 ? (count * 1_000) / ms : 0);

/** A minute under way tells a rate from here on. */
const MINUTE_TELLS_MS = 10_000;

/** The lowest rate of the latest minutes: what still comes after a burst. */
function usualArrivalPerSecond([current, ...whole]: readonly MinuteActivity[], at: number): number {
  const elapsedMs = at % MINUTE_MS;
  const came = (one: MinuteActivity | undefined) => (one ? one.enqueued + one.redriven : 0);
  const rates = whole.slice(0, 2).map((one) => perSecond(came(one), MINUTE_MS));
  if (elapsedMs >= MINUTE_TELLS_MS) rates.push(perSecond(came(current), elapsedMs));
  return rates.length > 0 ? Math.min(...rates) : 0;
}

/** How many in the last `minutes` minutes: the minute under way, those before it, and the remaining part of the last one. */
export function slidingCount(
  recent: readonly MinuteActivity[],
  at: number,
  minutes: number,
  of: (one: MinuteActivity) => number,
): number {
  const now = Math.floor(at / MINUTE_MS);
  const left = 1 - (at % MINUTE_MS) / MINUTE_MS;
  return recent.reduce((sum, one) => {
    const back = now - one.minute;
    return sum + (back < minutes ? of(one) : back === minutes ? of(one) * left : 0);
  }, 0);
}

export const slidingPerSecond = (
  recent: readonly MinuteActivity[],
  at: number,
  of: (one: MinuteActivity) => number,
): number => perSecond(slidingCount(recent, at, 1, of), MINUTE_MS);
