/** One tick of all schedules. Any number of processes may tick at once: the fence in the queue decides, by the clock of Redis. */

import { RedriveError } from '@/lib/contract/redrive-error';
import type { Schedule } from '@/lib/contract/schedules/schedule-schemas';
import { forEachLimited } from '../shards/fan-out';
import { DUE_MAX, type DueEntry } from './due-schedules';
import { occurrencesPerCall } from './enter-occurrences';
import { type OccurrencePlan, planOccurrences } from './plan-occurrences';
import type { ScheduleFence } from './schedule-fence';
import type { StoredSchedule } from './schedule-row';
import { stepsOf, type TickBroker } from './schedule-verbs';
import { nextOccurrence } from './timing/occurrences';

/** One queue that does not answer must not keep the others from their turn. */
const SCHEDULES_AT_ONCE = 8;
/** Each round follows occurrences that another process dealt with meanwhile. */
const ROUNDS_MAX = 5;
/** Errors of Redis are retried soon; errors of the schedule would come again. */
const RETRY_MS = 5_000;
const BROKEN_RETRY_MS = 60_000;
/** A change that did not end within this is finished by a tick: twice the deadline of its calls. */
const RECOVER_AFTER_MS = 10_000;

export interface TickResult {
  /** Redis's clock. */
  readonly now: number;
  /** When the next schedule falls due; null: none does. */
  readonly nextAt: number | null;
  readonly occurrences: number;
  /** Schedules that could not be dealt with; they are tried again. */
  readonly failures: readonly { readonly id: string; readonly error: unknown }[];
}

export async function tickSchedules(broker: TickBroker): Promise<TickResult> {
  const { now, nextAt, due } = await stepsOf(broker).due();
  const failures: { id: string; error: unknown }[] = [];
  let occurrences = 0;
  let soonest = due.length === DUE_MAX ? now : nextAt;
  await forEachLimited(due, SCHEDULES_AT_ONCE, async (entry) => {
    try {
      const done = await tickEntry(broker, entry, now);
      occurrences += done.occurrences;
      if (done.nextAt !== null && (soonest === null || done.nextAt < soonest)) soonest = done.nextAt;
    } catch (error) {
      failures.push({ id: entry.member, error });
      const wait = error instanceof RedriveError && error.code !== 'VALIDATION' ? RETRY_MS : BROKEN_RETRY_MS;
      // Out of the way of the others; when even that fails, Redis is away and so is everything else.
      await stepsOf(broker)
        .later(entry, now + wait)
        .catch(() => false);
    }
  });
  return { now, nextAt: soonest, occurrences, failures };
}

interface Done {
  readonly occurrences: number;
  readonly nextAt: number | null;
}
const NOTHING: Done = { occurrences: 0, nextAt: null };

async function tickEntry(broker: TickBroker, entry: DueEntry, now: number): Promise<Done> {
  if (entry.kind === 'fence') {
    await stepsOf(broker).forget(entry.queue, entry.id, entry.generation);
    await stepsOf(broker).later(entry, null);
    return NOTHING;
  }
  if (entry.kind === 'unreadable') {
    if (entry.hasRecord) throw new Error(`the record of schedule ${entry.member} cannot be read`);
    await stepsOf(broker).later(entry, null);
    return NOTHING;
  }
  const { nextAt, paused } = entry.stored.schedule;
  if (paused || nextAt === null || nextAt > now) {
    // It was put off after a failure, and changed or moved on since.
    await stepsOf(broker).later(entry, nextAt ?? Number.POSITIVE_INFINITY);
    return { occurrences: 0, nextAt };
  }
  return tickSchedule(broker, entry.stored, now);
}

/** Deals with all occurrences of one schedule that have come. `readAt`: when it was read, by Redis's clock. */
export async function tickSchedule(
  broker: TickBroker,
  stored: StoredSchedule,
  readAt: number,
): Promise<Done> {
  let current = stored;
  let occurrences = 0;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const { schedule } = current;
    if (schedule.nextAt === null || schedule.nextAt > readAt) return { occurrences, nextAt: schedule.nextAt };
    const plan = planOccurrences(schedule, readAt);
    const { outcome, fence } = plan ? await enterPlan(broker, current, plan, readAt) : LEFT_BEHIND;
    if (outcome === 'outdated') {
      await recoverChange(broker, current, fence, readAt);
      return { occurrences, nextAt: null };
    }
    // Read too long ago, or Redis's clock was set back: the next tick reads it anew.
    if (outcome === 'stale' || outcome === 'early') return { occurrences, nextAt: null };
    const done = plan && outcome === 'done';
    if (done) occurrences += plan.occurrences.length + plan.skippedCount;
    const own = fence.generation === schedule.generation;
    const after: Schedule = {
      ...schedule,
      nextAt: nextOccurrence(schedule, done ? plan.to : Math.max(fence.occurrence, schedule.nextAt)),
      last: own ? fence.last : schedule.last,
      entered: own ? fence.entered : schedule.entered,
      skipped: own ? fence.skipped : schedule.skipped,
    };
    // False when another process moved it on, or it was changed.
    const moved = await stepsOf(broker).advance(current, after.nextAt, after);
    if (!moved) return { occurrences, nextAt: after.nextAt };
    current = { ...current, schedule: after };
  }
  return { occurrences, nextAt: current.schedule.nextAt };
}

/** Stands where a change of its end has left no occurrence to deal with: it is only moved on. */
const LEFT_BEHIND: { outcome: 'ahead'; fence: ScheduleFence } = {
  outcome: 'ahead',
  fence: { generation: 0, occurrence: 0, last: null, entered: 0, skipped: 0 },
};

/** In as many calls as number and size of the jobs ask for. Each is whole: a scheduler that dies between them leaves no gap. */
async function enterPlan(
  broker: TickBroker,
  { schedule, secret }: StoredSchedule,
  plan: OccurrencePlan,
  readAt: number,
) {
  const size = occurrencesPerCall(schedule);
  let at = 0;
  for (;;) {
    const occurrences = plan.occurrences.slice(at, at + size);
    const isLast = at + size >= plan.occurrences.length;
    const result = await stepsOf(broker).enter({
      schedule,
      secret,
      readAt,
      from: at === 0 ? plan.from : (occurrences[0] ?? plan.from),
      to: isLast ? plan.to : (occurrences.at(-1) ?? plan.to),
      skippedCount: at === 0 ? plan.skippedCount : 0,
      occurrences,
    });
    if (isLast || result.outcome !== 'done') return result;
    at += size;
  }
}

/**
 * The fence is of a later generation than the record. If the record stays old, a process raised the fence and died: the schedule goes
 * on unchanged under a new generation.
 */
async function recoverChange(
  broker: TickBroker,
  stored: StoredSchedule,
  fence: ScheduleFence,
  now: number,
): Promise<void> {
  const { schedule } = stored;
  if (now - (schedule.nextAt ?? now) < RECOVER_AFTER_MS) return;
  const latest = await stepsOf(broker).find(schedule.id);
  if (latest?.text !== stored.text) return;
  const generation = await stepsOf(broker).generation(fence.generation + 1);
  const entered = Math.max(schedule.entered, fence.entered);
  const skipped = Math.max(schedule.skipped, fence.skipped);
  await stepsOf(broker).save({
    id: schedule.id,
    before: latest,
    after: { ...latest, schedule: { ...schedule, generation, entered, skipped } },
  });
}
