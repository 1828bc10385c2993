/** Queues filtered, sorted and cut into pages, and what they add up to. Pure. */

import { JOB_STATES, type StateCounts } from '@/lib/contract/jobs/job-states';
import { NAMED_MAX, type QueueSort } from '@/lib/contract/queues/queue-limits';
import type {
  Overview,
  QueuePage,
  QueuePageQuery,
  QueuePause,
  QueueSnapshot,
  QueueSums,
  Verdict,
} from '@/lib/contract/queues/queue-schemas';
import { RedriveError } from '@/lib/contract/redrive-error';

const TROUBLE: Readonly<Record<Verdict['level'], number>> = { bad: 2, warn: 1, ok: 0 };
/** Ages within one band count as equal: queues must not change places each second. */
const AGE_BANDS_MS = [1_000, 5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000, 21_600_000, 86_400_000];
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
  drain: (q) => q.drainMs,
  workers: (q) => q.workers,
};

interface Spot {
  readonly value: number | null;
  readonly name: string;
}

/**
 * The page of an overview that holds all queues the asker sees.
 *
 * @throws RedriveError BAD_CURSOR
 */
export function queuePage(overview: Overview, query: QueuePageQuery): QueuePage {
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
  const minutes = new Map<number, QueueSums['minutes'][number]>();
  let [partial, difference] = [false, 0];
  let oldestReadyAgeMs: number | null = null;
  let arrivalPerSecond: number | null = null;
  let completedPerSecond: number | null = null;
  let failedPerSecond: number | null = null;
  let drainMs: number | null = null;
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
    drainMs = larger(drainMs, queue.drainMs);
    arrivalPerSecond = added(arrivalPerSecond, queue.rates.arrivalPerSecond);
    completedPerSecond = added(completedPerSecond, queue.rates.completedPerSecond);
    failedPerSecond = added(failedPerSecond, queue.rates.failedPerSecond);
    // The minute under way would only look like a fall.
    for (let i = 0; i < queue.minutes.length - 1; i++) {
      const one = queue.minutes[i];
      if (!one) continue;
      const sum = minutes.get(one.minute);
      if (sum) {
        sum.enqueued += one.enqueued;
        sum.completed += one.completed;
        sum.failed += one.failed;
      } else {
        const { minute, enqueued, completed, failed } = one;
        minutes.set(minute, { minute, enqueued, completed, failed });
      }
    }
  }
  const ended = (completedPerSecond ?? 0) + (failedPerSecond ?? 0);
  return {
    partial,
    counts,
    oldestReadyAgeMs,
    arrivalPerSecond,
    completedPerSecond,
    failureRatio: ended > 0 ? (failedPerSecond ?? 0) / ended : null,
    drainMs,
    difference,
    pauses: named(pauses, (a, b) => b.since - a.since || byName(a.queue, b.queue)),
    draining: named(draining, byName),
    deserted: named(deserted, (a, b) => b.ready - a.ready || byName(a.queue, b.queue)),
    minutes: [...minutes.values()].sort((a, b) => a.minute - b.minute).slice(-60),
  };
}

/** Jobs are ready and no worker serves the queue; a paused queue waits on purpose. */
const isDeserted = ({ workers, counts, pauses }: QueueSnapshot): boolean =>
  workers === 0 && counts.ready > 0 && !pauses.some(({ scope }) => scope === 'queue');

const named = <Item>(items: Item[], order: (a: Item, b: Item) => number) => ({
  total: items.length,
  named: items.sort(order).slice(0, NAMED_MAX),
});

const larger = (a: number | null, b: number | null) => (a === null || (b !== null && b > a) ? b : a);
const added = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : a + b);
