/** The slots of a schedule: always computed from the slot before or from a given moment, never from this process's clock. */
import { TIME_MAX_MS } from '@/lib/contract/envelope';
import type { ScheduleTiming } from '@/lib/contract/schedules';
import { cronOf } from './cron';

/** What decides where slots are. */
export interface Slotted {
  readonly timing: ScheduleTiming;
  readonly startAt: number | null;
  readonly endAt: number | null;
}

/** The first slot after a moment; null when none is left. @throws RedriveError VALIDATION */
export function nextSlot({ timing, startAt, endAt }: Slotted, after: number): number | null {
  const from = Math.max(after, (startAt ?? 0) - 1);
  const slot = 'cron' in timing ? nextCron(timing, from) : nextMultiple(timing, from);
  return slot === null || slot > Math.min(endAt ?? TIME_MAX_MS, TIME_MAX_MS) ? null : slot;
}

function nextCron(timing: Extract<ScheduleTiming, { cron: string }>, after: number): number | null {
  return cronOf(timing).nextRun(new Date(after))?.getTime() ?? null;
}

function nextMultiple(
  { everyMs, anchor }: Extract<ScheduleTiming, { everyMs: number }>,
  after: number,
): number {
  return anchor + Math.max(0, Math.floor((after - anchor) / everyMs) + 1) * everyMs;
}

/** The first `count` slots after a moment. */
export function slotsAfter(slotted: Slotted, after: number, count: number): number[] {
  const slots: number[] = [];
  let at = nextSlot(slotted, after);
  while (at !== null && slots.length < count) {
    slots.push(at);
    at = nextSlot(slotted, at);
  }
  return slots;
}

export interface SlotsBetween {
  /** The newest `max` of them, oldest first. */
  readonly slots: number[];
  /** How many are before those. */
  readonly older: number;
  /** There are at least so many: counting was given up. */
  readonly atLeast: boolean;
}

/** Some 0.1 ms each, while nothing else runs: after a month without any scheduler, a schedule of every second would take minutes to count. */
const COUNTED_MAX = 2_000;

/** The slots from `from`, which is one, up to `to`. */
export function slotsBetween(slotted: Slotted, from: number, to: number, max: number): SlotsBetween {
  const until = Math.min(to, slotted.endAt ?? to);
  const { timing } = slotted;
  if (!('cron' in timing)) {
    const count = until < from ? 0 : Math.floor((until - from) / timing.everyMs) + 1;
    const kept = Math.min(count, max);
    const first = from + (count - kept) * timing.everyMs;
    const slots = Array.from({ length: kept }, (_, i) => first + i * timing.everyMs);
    return { slots, older: count - kept, atLeast: false };
  }
  const slots: number[] = [];
  let at: number | null = from;
  while (at !== null && at <= until && slots.length < COUNTED_MAX) {
    slots.push(at);
    at = nextSlot(slotted, at);
  }
  if (at === null || at > until) {
    const older = Math.max(0, slots.length - max);
    return { slots: slots.slice(older), older, atLeast: false };
  }
  // Too many to walk through: the newest are found from their end.
  const newest = cronOf(timing)
    .previousRuns(max, new Date(until + 1_000))
    .map((date) => date.getTime())
    .filter((slot) => slot <= until && slot > (slots.at(-1) ?? from))
    .reverse();
  return newest.length < max
    ? { slots: [...slots, ...newest].slice(-max), older: slots.length + newest.length - max, atLeast: true }
    : { slots: newest, older: slots.length, atLeast: true };
}
