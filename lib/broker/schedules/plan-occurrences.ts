/** What to do with the occurrences that have come: which become jobs, and which are passed over. Pure. */

import { MISSED_OCCURRENCES_MAX, SCHEDULE_GRACE_MS } from '@/lib/contract/schedules/schedule-limits';
import type { Schedule } from '@/lib/contract/schedules/schedule-schemas';
import { occurrencesBetween } from './timing/occurrences';

export interface OccurrencePlan {
  /** First and last occurrence of the time it deals with. */
  readonly from: number;
  readonly to: number;
  /** Missed occurrences that become no job; all are older than those that do. */
  readonly skippedCount: number;
  readonly occurrences: readonly number[];
}

/** Occurrences older than the grace are missed: no process ticked for so long. Null when no occurrence has come. */
export function planOccurrences(schedule: Schedule, now: number): OccurrencePlan | null {
  const from = schedule.nextAt;
  if (from === null || from > now || schedule.paused) return null;
  const { occurrences, older } = occurrencesBetween(schedule, from, now, MISSED_OCCURRENCES_MAX);
  const to = occurrences.at(-1);
  // The occurrence it stands at is none by the present end, which a change has moved before it.
  if (to === undefined) return null;
  const late = occurrences.filter((occurrence) => now - occurrence <= SCHEDULE_GRACE_MS);
  const missed = occurrences.slice(0, occurrences.length - late.length);
  const kept = { skip: 0, one: 1, all: missed.length }[schedule.missed];
  const made = missed.slice(missed.length - kept);
  return { from, to, skippedCount: older + missed.length - made.length, occurrences: [...made, ...late] };
}
