/** Forecasts of queues that share workers: when one backlog is gone, its workers go on with the others. Pure. */
import type { DrainForecast, QueueSnapshot } from '@/lib/contract/queues/queue-schemas';
import { LIVE_STATUSES } from '@/lib/contract/workers/worker-limits';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { isSizeKnown } from './drain-forecast';

type Row = Pick<QueueSnapshot, 'queue' | 'counts' | 'drain' | 'flow' | 'runTimeP95Ms' | 'workers' | 'pauses'>;
/** A backlog with a smaller share of the ready jobs changes nothing for the others. */
const SMALL_SHARE = 0.02;
/** Run times that differ by more: work of one queue says too little of another. */
const ALIKE_RUNS = 1.5;
/** Ends that differ by less are one. */
const NEARLY = 1.2;

/** The forecasts that change, by queue. */
export function sharedForecasts(
  rows: readonly Row[],
  workers: readonly Pick<Worker, 'workerId' | 'status' | 'queues'>[],
): Map<string, DrainForecast> {
  const changed = new Map<string, DrainForecast>();
  const servedBy = workersByQueue(workers);
  for (const group of groupsOf(rows, servedBy)) {
    const total = group.reduce((sum, { counts }) => sum + counts.ready, 0);
    const backlogs = group.filter(
      ({ drain, counts }) => drain !== null && counts.ready > total * SMALL_SHARE,
    );
    const surplus = surplusOf(group, backlogs);
    const areAlike = areServedAlike(group, backlogs, servedBy);
    const [first] = backlogs;
    if (!first) continue;
    if (backlogs.length === 1 && surplus === 0) {
      if (first.drain?.workersNeeded)
        changed.set(first.queue, { ...first.drain, workersNeeded: workersNeeded(first, group, areAlike) });
      continue;
    }
    const ends = areAlike && isTotalKnown(group) ? finishTimes(backlogs, surplus) : null;
    const together = surplus === 0 && endTogether(backlogs);
    for (const [i, row] of backlogs.entries()) {
      const known = ends ? (ends[i] ?? null) : together ? (row.drain?.ms ?? null) : null;
      if (row.drain) changed.set(row.queue, withEnd(row.drain, known));
    }
  }
  return changed;
}

/** @param ms null: not known */
function withEnd(drain: DrainForecast, ms: number | null): DrainForecast {
  if (ms !== null) return { ...drain, trend: 'shrinking', ms: Math.round(ms), workersNeeded: null };
  // A worker that is added helps all of them.
  return { ...drain, ms: null, workersNeeded: null };
}

/** What a worker ends it ends in all its queues. Null: that of one queue says too little of another. */
function workersNeeded({ drain, workers }: Row, group: readonly Row[], areAlike: boolean): number | null {
  const done = group.reduce((sum, { flow }) => sum + flow.donePerSecond, 0);
  const growth = drain?.growthPerSecond ?? null;
  return growth === null || !areAlike || done === 0 ? null : Math.ceil((growth * workers) / done);
}

/** Backlogs that end together give each other nothing. */
function endTogether(backlogs: readonly Row[]): boolean {
  const ends = backlogs.map(({ drain }) => drain?.ms ?? Number.POSITIVE_INFINITY);
  return Math.max(...ends) <= Math.min(...ends) * NEARLY;
}

function workersByQueue(
  workers: readonly Pick<Worker, 'workerId' | 'status' | 'queues'>[],
): Map<string, string[]> {
  const servedBy = new Map<string, string[]>();
  for (const { workerId, status, queues } of workers)
    if (LIVE_STATUSES.has(status))
      for (const queue of Object.keys(queues))
        servedBy.set(queue, [...(servedBy.get(queue) ?? []), workerId]);
  return servedBy;
}

/** Queues that are connected by a worker. */
function groupsOf(rows: readonly Row[], servedBy: ReadonlyMap<string, readonly string[]>): Row[][] {
  const groupOf = new Map<string, Row[]>();
  for (const row of rows) {
    const isPaused = row.pauses.some(({ scope }) => scope === 'queue');
    const names = servedBy.get(row.queue);
    if (isPaused || !names) continue;
    const joined = [...new Set(names.flatMap((name) => [groupOf.get(name) ?? []]))];
    const group = [...new Set(joined)].flat();
    group.push(row);
    for (const member of group) for (const name of servedBy.get(member.queue) ?? []) groupOf.set(name, group);
  }
  return [...new Set(groupOf.values())];
}

function areServedAlike(
  group: readonly Row[],
  backlogs: readonly Row[],
  servedBy: ReadonlyMap<string, readonly string[]>,
): boolean {
  const keys = new Set(backlogs.map(({ queue }) => [...(servedBy.get(queue) ?? [])].sort().join(' ')));
  const ran = group.filter((row) => backlogs.includes(row) || row.flow.donePerSecond > 0);
  const runs = ran.map(({ runTimeP95Ms }) => runTimeP95Ms);
  const times = runs.filter((ms) => ms !== null);
  return (
    keys.size === 1 && times.length === runs.length && Math.max(...times) <= Math.min(...times) * ALIKE_RUNS
  );
}

const netOf = ({ flow }: Row): number => flow.donePerSecond - flow.arrivalPerSecond;

function isTotalKnown(group: readonly Row[]): boolean {
  const net = group.reduce((sum, row) => sum + netOf(row), 0);
  return net > 0 && isSizeKnown(net, Math.hypot(...group.map(({ flow }) => flow.chancePerSecond)));
}

/** What the other queues' workers end beyond what comes there: a queue that has just become empty gives it to the others. */
const surplusOf = (group: readonly Row[], backlogs: readonly Row[]): number =>
  group
    .filter((row) => !backlogs.includes(row))
    .reduce((sum, row) => sum + Math.max(0, netOf(row) - 2 * row.flow.chancePerSecond), 0);

/** When each backlog is gone, in ms; null: never at these rates. */
function finishTimes(backlogs: readonly Row[], surplus: number): (number | null)[] {
  const left = backlogs.map(({ counts, flow }, index) => ({
    index,
    ready: counts.ready,
    done: flow.donePerSecond,
    arrivals: flow.arrivalPerSecond,
  }));
  const ends: (number | null)[] = backlogs.map(() => null);
  const share = (rate: number) => {
    const done = left.reduce((sum, one) => sum + one.done, 0);
    for (const one of left) one.done += done > 0 ? (rate * one.done) / done : rate / left.length;
  };
  share(surplus);
  for (let seconds = 0; left.length > 0; ) {
    const until = left.map(({ ready, done, arrivals }) =>
      done > arrivals ? ready / (done - arrivals) : Number.POSITIVE_INFINITY,
    );
    const next = Math.min(...until);
    if (!Number.isFinite(next)) break;
    seconds += next;
    for (const one of left) one.ready += (one.arrivals - one.done) * next;
    const [gone] = left.splice(until.indexOf(next), 1);
    if (!gone) break;
    ends[gone.index] = seconds * 1_000;
    share(gone.done - gone.arrivals);
  }
  return ends;
}
