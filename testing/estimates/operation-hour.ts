/** An hour of an operation, second by second: pauses, changed rates, dead runners, shards that slow down. What is shown, and what is true. */
import { decideNext, freshControl } from '@/lib/broker/operations/rules/decide-next';
import { freshBucket } from '@/lib/broker/operations/rules/rate-bucket';
import { addMark, movedPerSecond, remainingMs } from '@/lib/contract/operations/moved-rate';
import type { Operation, OperationEvent } from '@/lib/contract/operations/operation';
import { completedOperation } from '../records/completed-operation';
import type { Estimate } from './accuracy';
import { type Chance, seededChance } from './seeded-chance';

const HOUR_MS = 3_600_000;
const SLICE_MS = 50;
/** More than an hour's work. */
const JOBS = 2_000_000;
/** Nobody announces a slower shard: the rate follows within so long. */
const FOLLOWS_MS = 12_000;

interface Course {
  /** Jobs a second that the shards manage. */
  capacity: number;
  /** When it last changed without an event. */
  slowedAt: number;
  /** When a runner last died. */
  diedAt: number;
  /** No runner works until then. */
  deadUntil: number;
}

export interface OperationHour {
  readonly rates: Estimate[];
  readonly timesLeft: Estimate[];
}

export function operationHour(seed: number): OperationHour {
  const chance = seededChance(seed);
  let operation = startedOperation();
  let control = freshControl(0);
  const course: Course = { capacity: 300, slowedAt: 0, diedAt: 0, deadUntil: 0 };
  const hour: OperationHour = { rates: [], timesLeft: [] };
  let share = 0;
  for (let now = 0; now < HOUR_MS; now += SLICE_MS) {
    const changed = change(operation, course, now, chance);
    if (changed !== operation && changed.status === 'running')
      control = { ...control, bucket: freshBucket(now, changed.moved) };
    operation = changed;
    if (operation.status === 'running' && now >= course.deadUntil) {
      const { rate, moved } = operation;
      const decision = decideNext({
        now,
        rate,
        moved,
        control,
        canary: null,
        stop: null,
        left: true,
        ended: null,
      });
      control = decision.control;
      share = Math.min(course.capacity / 2, share + (course.capacity * SLICE_MS) / 1_000);
      const most = decision.next.act === 'move' ? Math.min(decision.next.atMost, Math.floor(share)) : 0;
      share -= most;
      const done = moved + most;
      operation = { ...operation, moved: done, marks: addMark(operation.marks, now, done) };
    }
    if (now % 1_000 === 0) observe(hour, operation, course, now);
  }
  return hour;
}

const startedOperation = (): Operation => ({
  ...completedOperation({}),
  status: 'running',
  phase: null,
  startedAt: 0,
  marks: [],
  events: [],
  rate: { perSecond: 5, keepReadyBelow: null },
  expected: JOBS,
  estimated: false,
  moved: 0,
  skipped: 0,
  trouble: null,
});

const withEvent = (operation: Operation, at: number, type: OperationEvent['type']): Operation => ({
  ...operation,
  events: [...operation.events.slice(-48), { at, type, by: 'ada', sentence: null }],
});

/** About once in forty seconds something happens. */
function change(operation: Operation, course: Course, now: number, chance: Chance): Operation {
  if (chance.next() > SLICE_MS / 40_000) return operation;
  if (operation.status === 'paused') return withEvent({ ...operation, status: 'running' }, now, 'resumed');
  const what = chance.next();
  if (what < 0.3) return withEvent({ ...operation, status: 'paused' }, now, 'paused');
  if (what < 0.6) {
    const perSecond = chance.next() < 0.3 ? null : Math.round(10 ** chance.between(-0.5, 2.3) * 10) / 10;
    return withEvent({ ...operation, rate: { perSecond, keepReadyBelow: null } }, now, 'changed');
  }
  if (what < 0.8) {
    course.capacity = Math.round(chance.between(20, 400));
    course.slowedAt = now;
    return operation;
  }
  course.diedAt = now;
  course.deadUntil = now + chance.between(5_000, 40_000);
  return operation;
}

function observe(
  { rates, timesLeft }: OperationHour,
  operation: Operation,
  course: Course,
  now: number,
): void {
  const { rate, status, expected, moved } = operation;
  const isWorking = status === 'running' && now >= course.deadUntil;
  const truth = isWorking ? Math.min(rate.perSecond ?? Number.POSITIVE_INFINITY, course.capacity) : 0;
  const unannounced = [course.slowedAt, course.diedAt, course.deadUntil];
  const follows = unannounced.some((at) => now >= at && now - at < FOLLOWS_MS);
  rates.push({ at: now, shown: movedPerSecond(operation, now), truth, follows });
  const left = remainingMs(operation, now);
  timesLeft.push({
    at: now,
    shown: left,
    truth: truth > 0 ? ((expected - moved) / truth) * 1_000 : 0,
    follows,
  });
}
