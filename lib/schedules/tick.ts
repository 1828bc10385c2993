/**
 * One turn of a scheduler. Any number may take turns at once, in any order, with pictures as old as they like: the fence in
 * the queue decides what is done, and Redis's clock what is due. A turn only saves the others work.
 */

import { slotsPerCall } from '@/lib/broker';
import { RedriveError } from '@/lib/contract/errors';
import type { Schedule } from '@/lib/contract/schedules';
import { type Plan, planSlots } from './plan';
import { nextSlot } from './slots';
import type { DueEntry, Fence, StoredSchedule, TickBroker } from './types';

const DUE_MAX = 100;
/** One queue that does not answer must not keep the others from their turn. */
const LANES = 8;
/** Each round follows slots that somebody else dealt with meanwhile. */
const ROUNDS_MAX = 5;
/** What failed for reasons of Redis is tried again soon; what failed for reasons of its own would fail again. */
const RETRY_MS = 5_000;
const BROKEN_RETRY_MS = 60_000;
/** A change that was begun and never ended is taken for dead after this: twice the deadline of its calls. */
const HEAL_AFTER_MS = 10_000;

export interface TickResult {
  /** Redis's clock. */
  readonly now: number;
  /** When there will be something to do; null: as far as is known, never. */
  readonly nextAt: number | null;
  /** Slots dealt with by this turn. */
  readonly slots: number;
  /** Schedules that could not be dealt with; they are tried again. */
  readonly failures: readonly { readonly id: string; readonly error: unknown }[];
}

export async function tickSchedules(broker: TickBroker): Promise<TickResult> {
  const { now, nextAt, due } = await broker.schedules.due(DUE_MAX);
  const failures: { id: string; error: unknown }[] = [];
  let slots = 0;
  let soonest = due.length === DUE_MAX ? now : nextAt;
  const queue = [...due];
  const lane = async () => {
    for (let entry = queue.shift(); entry; entry = queue.shift()) {
      try {
        const done = await tickEntry(broker, entry, now);
        slots += done.slots;
        if (done.nextAt !== null && (soonest === null || done.nextAt < soonest)) soonest = done.nextAt;
      } catch (error) {
        failures.push({ id: entry.member, error });
        const wait =
          error instanceof RedriveError && error.code !== 'VALIDATION' ? RETRY_MS : BROKEN_RETRY_MS;
        // Out of the way of the others; when even that fails, Redis is away and so is everything else.
        await broker.schedules.later(entry, now + wait).catch(() => false);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(LANES, due.length) }, lane));
  return { now, nextAt: soonest, slots, failures };
}

interface Done {
  readonly slots: number;
  readonly nextAt: number | null;
}
const NOTHING: Done = { slots: 0, nextAt: null };

async function tickEntry(broker: TickBroker, entry: DueEntry, now: number): Promise<Done> {
  if (entry.kind === 'fence') {
    await broker.schedules.forget(entry.queue, entry.id, entry.generation);
    await broker.schedules.later(entry, null);
    return NOTHING;
  }
  if (entry.kind === 'unreadable') {
    if (entry.hasRecord) throw new Error(`the record of schedule ${entry.member} cannot be read`);
    await broker.schedules.later(entry, null);
    return NOTHING;
  }
  const { nextAt, paused } = entry.stored.schedule;
  if (paused || nextAt === null || nextAt > now) {
    // It was put off after a failure, and changed or moved on since.
    await broker.schedules.later(entry, nextAt ?? Number.POSITIVE_INFINITY);
    return { slots: 0, nextAt };
  }
  return tickSchedule(broker, entry.stored, now);
}

/** Deals with all slots of one schedule that have come. `readAt`: when it was read, by Redis's clock. */
export async function tickSchedule(
  broker: TickBroker,
  stored: StoredSchedule,
  readAt: number,
): Promise<Done> {
  let current = stored;
  let slots = 0;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const { schedule } = current;
    if (schedule.nextAt === null || schedule.nextAt > readAt) return { slots, nextAt: schedule.nextAt };
    const plan = planSlots(schedule, readAt);
    const { outcome, fence } = plan ? await enterPlan(broker, current, plan, readAt) : LEFT_BEHIND;
    if (outcome === 'outdated') {
      await healChange(broker, current, fence, readAt);
      return { slots, nextAt: null };
    }
    // Read too long ago, or Redis's clock was set back: whoever reads next sees better.
    if (outcome === 'stale' || outcome === 'early') return { slots, nextAt: null };
    const done = plan && outcome === 'done';
    if (done) slots += plan.slots.length + plan.passed;
    const own = fence.generation === schedule.generation;
    const after: Schedule = {
      ...schedule,
      nextAt: nextSlot(schedule, done ? plan.to : Math.max(fence.slot, schedule.nextAt)),
      last: own ? fence.last : schedule.last,
      entered: own ? fence.entered : schedule.entered,
      skipped: own ? fence.skipped : schedule.skipped,
    };
    // Lost when somebody else moved it on, or it was changed: then the record is in better hands.
    const moved = await broker.schedules.advance(current, after.nextAt, after);
    if (!moved) return { slots, nextAt: after.nextAt };
    current = { ...current, schedule: after };
  }
  return { slots, nextAt: current.schedule.nextAt };
}

/** Stands where a change of its end has left no slot to deal with: it is only moved on. */
const LEFT_BEHIND: { outcome: 'ahead'; fence: Fence } = {
  outcome: 'ahead',
  fence: { generation: 0, slot: 0, last: null, entered: 0, skipped: 0 },
};

/** In as many calls as number and size of the jobs ask for. Each is whole: a scheduler that dies between them leaves no gap. */
async function enterPlan(
  broker: TickBroker,
  { schedule, secret }: StoredSchedule,
  plan: Plan,
  readAt: number,
) {
  const size = slotsPerCall(schedule);
  let at = 0;
  for (;;) {
    const slots = plan.slots.slice(at, at + size);
    const isLast = at + size >= plan.slots.length;
    const result = await broker.schedules.enter({
      schedule,
      secret,
      readAt,
      from: at === 0 ? plan.from : (slots[0] ?? plan.from),
      to: isLast ? plan.to : (slots.at(-1) ?? plan.to),
      passed: at === 0 ? plan.passed : 0,
      slots,
    });
    if (isLast || result.outcome !== 'done') return result;
    at += size;
  }
}

/**
 * The fence is of a later generation than the record. Usually the record is changed by now. When it is not, somebody raised
 * the fence and died before saving: the schedule goes on as it was, under a number of its own.
 */
async function healChange(
  broker: TickBroker,
  stored: StoredSchedule,
  fence: Fence,
  now: number,
): Promise<void> {
  const { schedule } = stored;
  if (now - (schedule.nextAt ?? now) < HEAL_AFTER_MS) return;
  const latest = await broker.schedules.find(schedule.id);
  if (latest?.text !== stored.text) return;
  const generation = await broker.schedules.generation(fence.generation + 1);
  const entered = Math.max(schedule.entered, fence.entered);
  const skipped = Math.max(schedule.skipped, fence.skipped);
  await broker.schedules.save({
    id: schedule.id,
    before: latest,
    after: { ...latest, schedule: { ...schedule, generation, entered, skipped } },
  });
}
