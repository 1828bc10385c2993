/** How fast an operation moves jobs now, and how long it still takes: from its last seconds and its set rate. Pure. */
import type { Operation, OperationEvent } from './operation';
import { OPERATION_MARKS_KEPT } from './operation-kinds';

type Marks = Operation['marks'];
type Moving = Pick<
  Operation,
  | 'status'
  | 'phase'
  | 'kind'
  | 'startedAt'
  | 'marks'
  | 'events'
  | 'rate'
  | 'expected'
  | 'estimated'
  | 'moved'
  | 'skipped'
  | 'trouble'
>;

/** With as many marks as are kept: the last half minute. */
const MARK_EVERY_MS = 3_000;
/** The first that holds enough jobs is measured. */
const WINDOWS_MS = [12_000, 30_000] as const;
/** A shorter time may be a single chunk. */
const SPAN_MIN_MS = 3_000;
/** Fewer jobs tell a rate no better than by a fifth. */
const JOBS_MIN = 25;
/** After so long without a mark no runner works, or none reports. */
const SILENT_MS = 10_000;
/** As close to the set rate as this, the set rate is the rate. */
const AT_SET_RATE = 0.9;
/** A latest stretch that differs by more from its window is another rate, not chance. */
const STEADY_SHARE = 0.15;

/** The marks with the progress of now. Only the last mark moves between two full intervals. */
export function addMark(marks: Marks, at: number, done: number): Marks {
  const fixed = marks.slice(0, -1);
  const last = marks.at(-1);
  const before = fixed.at(-1);
  const isNext = last && (!before || last.at - before.at >= MARK_EVERY_MS);
  return [...(isNext ? [...fixed, last] : fixed), { at, done }].slice(-OPERATION_MARKS_KEPT);
}

/** Events after which another rate is to be expected: the measurement begins anew. */
const NEW_RATE: ReadonlySet<OperationEvent['type']> = new Set([
  'resumed',
  'changed',
  'canary-passed',
  'taken-over',
]);
const steadySince = ({ events, startedAt }: Moving): number =>
  Math.max(startedAt ?? 0, ...events.filter(({ type }) => NEW_RATE.has(type)).map(({ at }) => at));

interface Stretch {
  readonly jobs: number;
  readonly seconds: number;
}

/** What was moved between the first mark since then and the last mark; null: too short. */
function stretchSince(marks: Marks, since: number): Stretch | null {
  const [first, last] = [marks.find(({ at }) => at >= since), marks.at(-1)];
  if (!first || !last || last.at - first.at < SPAN_MIN_MS) return null;
  return { jobs: last.done - first.done, seconds: (last.at - first.at) / 1_000 };
}

/**
 * Jobs a second lately; null while the operation does not run, and while there is too little to tell.
 * @param now by the clock of Redis
 */
export function movedPerSecond(operation: Moving, now: number): number | null {
  const { status, phase, kind, startedAt, marks, rate } = operation;
  const lastAt = marks.at(-1)?.at ?? 0;
  if (status !== 'running' || phase !== null || kind === 'export' || startedAt === null) return null;
  if (now - lastAt > SILENT_MS) return null;
  const since = steadySince(operation);
  for (const windowMs of WINDOWS_MS) {
    const window = stretchSince(marks, Math.max(since, lastAt - windowMs));
    if (!window) return null;
    if (isAtSetRate(window, rate)) return rate.perSecond;
    if (window.jobs < JOBS_MIN) continue;
    const perSecond = window.jobs / window.seconds;
    const latest = stretchSince(marks, Math.max(since, lastAt - 2 * MARK_EVERY_MS));
    return latest && isSteady(latest, perSecond) ? perSecond : null;
  }
  return null;
}

/** At a low rate a job more or fewer is no other rate. */
function isAtSetRate({ jobs, seconds }: Stretch, { perSecond, keepReadyBelow }: Operation['rate']): boolean {
  if (perSecond === null || keepReadyBelow !== null) return false;
  const set = perSecond * seconds;
  return jobs >= Math.min(set * AT_SET_RATE, set - 1);
}

const isSteady = ({ jobs, seconds }: Stretch, perSecond: number): boolean => {
  const expected = perSecond * seconds;
  return Math.abs(jobs - expected) <= Math.max(STEADY_SHARE * expected, Math.sqrt(expected));
};

/** Time left at this rate; null when the rate is unknown, or how many are left. */
export function remainingMs(operation: Moving, now: number): number | null {
  if (operation.estimated || operation.trouble !== null) return null;
  const perSecond = movedPerSecond(operation, now);
  if (!perSecond) return null;
  return (Math.max(0, operation.expected - operation.moved - operation.skipped) / perSecond) * 1_000;
}
