/** What to do with the slots that have come: which become jobs, and which are passed over. Pure. */
import { MISSED_MAX, SCHEDULE_GRACE_MS, type Schedule } from '@/lib/contract/schedules';
import { slotsBetween } from './slots';

export interface Plan {
  /** First and last slot of the time it deals with. */
  readonly from: number;
  readonly to: number;
  /** Missed slots that become no job; all are older than those that do. */
  readonly passed: number;
  /** Slots that become jobs, oldest first. */
  readonly slots: readonly number[];
}

/**
 * A slot is missed when it is older than the grace: nobody ticked for so long. What is less late than that becomes a job
 * whatever the policy. Null when no slot has come.
 */
export function planSlots(schedule: Schedule, now: number): Plan | null {
  const from = schedule.nextAt;
  if (from === null || from > now || schedule.paused) return null;
  const { slots, older } = slotsBetween(schedule, from, now, MISSED_MAX);
  const to = slots.at(-1);
  // The slot it stands at is none by the present end, which a change has moved before it.
  if (to === undefined) return null;
  const late = slots.filter((slot) => now - slot <= SCHEDULE_GRACE_MS);
  const missed = slots.slice(0, slots.length - late.length);
  const kept = { skip: 0, one: 1, all: missed.length }[schedule.missed];
  const made = missed.slice(missed.length - kept);
  return { from, to, passed: older + missed.length - made.length, slots: [...made, ...late] };
}
