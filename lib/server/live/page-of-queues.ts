/** Queues filtered, sorted and cut into pages, and what they add up to. Pure. */

import { JOB_STATES, type StateCounts } from '@/lib/contract/jobs/job-states';
import { latestPauseFirst } from '@/lib/contract/queues/pause-order';
import type { QueuePause } from '@/lib/contract/queues/pause-schemas';
import { NAMED_MAX, type QueueSort } from '@/lib/contract/queues/queue-limits';
import type {
  MinuteCounts,
  Overview,
  QueuePageQuery,
  QueueRow,
  QueueSnapshot,
  QueueSums,
  Verdict,
} from '@/lib/contract/queues/queue-schemas';
import { RedriveError } from '@/lib/contract/redrive-error';
import { forecastTotal } from './forecast/drain-forecast';

const TROUBLE: Readonly<Record<Verdict['level'], number>> = { bad: 2, warn: 1, ok: 0 };
/** Ages within one band count as equal, and so do all short ones: queues must not change places all the time. */
const AGE_BANDS_MS = [60_000, 300_000, 900_000, 3_600_000, 21_600_000, 86_400_000];
const BANDS = AGE_BANDS_MS.length + 2;

const ageBand = (ageMs: number | null): number =>
  ageMs === null ? 0 : 1 + AGE_BANDS_MS.filter((bound) => ageMs >= bound).length;

/** Sort values of a queue; null comes last in both orders. */
const VALUES: Readonly<Record<Exclude<QueueSort, 'name'>, (queue: QueueSnapshot) => number | null>> = {
  trouble: (q) => TROUBLE[q.level] * BANDS + ageBand(q.oldestReadyAgeMs),
  ready: (q) => q.counts.ready,
  oldest: (q) => q.oldestReadyAgeMs,
  'in-flight': (q) => q.counts['in-flight'],
  scheduled: (q) => q.counts.scheduled,
  retry: (q) => q.counts.retry,
  held: (q) => q.counts.held,
  dead: (q) => q.counts.dead,
  arrival: (q) => q.rates.arrivalPerSecond,
  completed: (q) => q.rates.completedPerSecond,
  failing: (q) => q.rates.failureRatio,
  drain: ({ drain }) => (drain === null ? null : (drain.ms ?? NEVER_MS)),
  workers: (q) => q.workers,
};

/** A backlog that does not shrink sorts after all that do. */
const NEVER_MS = Number.MAX_SAFE_INTEGER;

/** The overview of all queues that somebody may see, with every number of each. */
export type FullOverview = Omit<Overview, 'queues' | 'matching' | 'nextCursor'> & { queues: QueueSnapshot[] };
/** A page of it. */
export type SnapshotPage = FullOverview & Pick<Overview, 'matching' | 'nextCursor'>;

interface Spot {
  readonly value: number | null;
  readonly name: string;
}

/**
 * The page of an overview that holds all queues the asker sees.
 *
 * @throws RedriveError BAD_CURSOR
 */
export function queuePage(overview: FullOverview, query: QueuePageQuery): SnapshotPage {
  const { q, sort, limit } = query;
  const order = query.order ?? (sort === 'name' ? 'asc' : 'desc');
  const wanted = q.toLowerCase();
  const sortValue = sort === 'name' ? () => 0 : VALUES[sort];
  const direction = order === 'asc' ? 1 : -1;
  const names = sort === 'name' ? direction : 1;
  const compare = (a: Spot, b: Spot): number => {
    if (a.value === null || b.value === null) {
      if (a.value !== b.value) return a.value === null ? 1 : -1;
    } else if (a.value !== b.value) return direction * (a.value - b.value);
    return names * byName(a.name, b.name);
  };
  const after = query.cursor === undefined ? null : readCursor(query.cursor);
  const spots = overview.queues.flatMap((queue) =>
    wanted === '' || queue.queue.toLowerCase().includes(wanted)
      ? [{ queue, value: sortValue(queue), name: queue.queue }]
      : [],
  );
  const rest = (after ? spots.filter((spot) => compare(spot, after) > 0) : spots).sort(compare);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return {
    ...overview,
    queues: page.map(({ queue }) => queue),
    matching: spots.length,
    nextCursor: last && rest.length > limit ? writeCursor(last) : null,
  };
}

/** What lists show of the queues of a page. */
export const rowsOfPage = (page: SnapshotPage): Overview => ({
  ...page,
  queues: page.queues.map((snapshot) => rowOf(snapshot, page.at)),
});

/** @param at when the ages are as old as said: queues are read at different times */
export const rowOf = (snapshot: QueueSnapshot, at: number): QueueRow => {
  const { rates, ledger, overdueLeaseMs, oldestReadyAgeMs, drain, runTimeP95Ms } = snapshot;
  const ageAt = (ageMs: number | null) => (ageMs === null ? null : Math.max(0, ageMs + at - snapshot.at));
  return {
    queue: snapshot.queue,
    level: snapshot.level,
    counts: snapshot.counts,
    oldestReadyAgeMs: ageAt(oldestReadyAgeMs),
    overdueLeaseMs: ageAt(overdueLeaseMs),
    runTimeP95Ms: runTimeP95Ms === null ? null : rounded(runTimeP95Ms),
    drain: drain && {
      ...drain,
      ms: drain.ms === null ? null : Math.round(drain.ms),
      growthPerSecond: drain.growthPerSecond === null ? null : rounded(drain.growthPerSecond),
    },
    pauses: snapshot.pauses,
    draining: snapshot.draining,
    depth: snapshot.depth,
    shards: snapshot.shards,
    workers: snapshot.workers,
    rates: {
      arrivalPerSecond: rounded(rates.arrivalPerSecond),
      completedPerSecond: rounded(rates.completedPerSecond),
      failureRatio: rates.failureRatio === null ? null : rounded(rates.failureRatio),
    },
    ledger: { difference: ledger.difference },
    objectives: { ageMs: snapshot.objectives.ageMs },
  };
};

/** Three decimals: more are noise that each list would carry. */
const rounded = (value: number) => Math.round(value * 1_000) / 1_000;

const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const writeCursor = ({ value, name }: Spot): string =>
  Buffer.from(JSON.stringify([value, name])).toString('base64url');

function readCursor(cursor: string): Spot {
  try {
    const [value, name]: unknown[] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if ((value === null || typeof value === 'number') && typeof name === 'string') return { value, name };
  } catch {
    // Refused below.
  }
  throw new RedriveError('BAD_CURSOR', 'The cursor is not one that a page of queues gave out.', {
    fields: [{ field: 'cursor', message: 'must be nextCursor of an earlier page' }],
  });
}

/** One pass over all queues: there may be thousands, and this is done every second. */
export function sumsOf(queues: readonly QueueSnapshot[]): QueueSums {
  const counts = Object.fromEntries(JOB_STATES.map((state) => [state, 0])) as StateCounts;
  let [partial, difference] = [false, 0];
  let oldestReadyAgeMs: number | null = null;
  let [arrivalPerSecond, completedPerSecond, failedPerSecond] = [0, 0, 0];
  const pauses: QueuePause[] = [];
  const draining: string[] = [];
  const deserted: { queue: string; ready: number }[] = [];
  for (const queue of queues) {
    partial ||= queue.shards.unavailable.length > 0;
    difference += Math.abs(queue.ledger.difference);
    for (const pause of queue.pauses) pauses.push({ ...pause, queue: queue.queue });
    if (queue.draining) draining.push(queue.queue);
    if (isDeserted(queue)) deserted.push({ queue: queue.queue, ready: queue.counts.ready });
    for (const state of JOB_STATES) counts[state] += queue.counts[state];
    oldestReadyAgeMs = larger(oldestReadyAgeMs, queue.oldestReadyAgeMs);
    arrivalPerSecond += queue.rates.arrivalPerSecond;
    completedPerSecond += queue.rates.completedPerSecond;
    failedPerSecond += queue.rates.failedPerSecond;
  }
  const ended = completedPerSecond + failedPerSecond;
  return {
    partial,
    counts,
    oldestReadyAgeMs,
    arrivalPerSecond,
    completedPerSecond,
    failureRatio: ended > 0 ? failedPerSecond / ended : null,
    drain: forecastTotal(queues),
    difference,
    pauses: named(pauses, latestPauseFirst),
    draining: named(draining, byName),
    deserted: named(deserted, (a, b) => b.ready - a.ready || byName(a.queue, b.queue)),
  };
}

/** The minutes of all queues together. */
export function sumOfMinutes(queues: Iterable<readonly MinuteCounts[]>): MinuteCounts[] {
  const sums = new Map<number, MinuteCounts>();
  for (const minutes of queues)
    for (const counts of minutes) {
      const sum = sums.get(counts.minute);
      if (!sum) sums.set(counts.minute, { ...counts });
      else for (const key of MINUTE_COUNTS) sum[key] += counts[key];
    }
  return [...sums.values()].sort((a, b) => a.minute - b.minute).slice(-60);
}
const MINUTE_COUNTS = ['enqueued', 'completed', 'failed', 'dead'] as const;

/** Jobs are ready and no worker serves the queue; a paused queue waits on purpose. */
const isDeserted = ({ workers, counts, pauses }: QueueSnapshot): boolean =>
  workers === 0 && counts.ready > 0 && !pauses.some(({ scope }) => scope === 'queue');

const named = <Item>(items: Item[], order: (a: Item, b: Item) => number) => ({
  total: items.length,
  named: items.sort(order).slice(0, NAMED_MAX),
});

const larger = (a: number | null, b: number | null) => (a === null || (b !== null && b > a) ? b : a);
