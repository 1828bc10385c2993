/** The record of an operation brought up to what its places say. Pure. */
import { OPERATION_EVENTS_KEPT, type OperationEvent } from '@/lib/contract/operations';
import type { OperationRecord } from '@/lib/contract/verbs';
import { phaseOf } from './decide';
import { type Run, type Totals, totalsOf } from './run';

export function withEvent(record: OperationRecord, event: OperationEvent): OperationRecord {
  const { events } = record;
  const kept = events.length < OPERATION_EVENTS_KEPT ? events : [...events.slice(0, 1), ...events.slice(2)];
  return { ...record, events: [...kept, { ...event, sentence: event.sentence?.slice(0, 500) ?? null }] };
}

/** Counts only grow: a place that does not answer must not take back what was said of it before. */
export const withCounts = (record: OperationRecord, totals: Totals): OperationRecord => ({
  ...record,
  scanned: Math.max(record.scanned, totals.scanned),
  moved: Math.max(record.moved, totals.moved),
  skipped: Math.max(record.skipped, totals.skipped),
  skips: totals.skipped >= record.skipped ? totals.skips : record.skips,
});

/** What the runner knows, entered in the record as it is stored. */
export function advanced(
  stored: OperationRecord,
  run: Run,
  now: number,
  canaryPassed: boolean,
): OperationRecord {
  const totals = totalsOf(run);
  // A person has changed meanwhile what the runner decides by: theirs stands.
  const mine = stored.epoch === run.epoch;
  const control = mine ? run.control : stored.control;
  const next: OperationRecord = {
    ...withCounts(stored, totals),
    control,
    phase: phaseOf({ canary: stored.canary, control, moved: totals.mayBeMoved }),
    startedAt: stored.startedAt ?? (totals.moved > 0 ? now : null),
    trouble: run.states.find(({ trouble }) => trouble !== null)?.trouble ?? null,
  };
  return canaryPassed && mine
    ? withEvent(next, { at: now, what: 'canary-passed', by: 'redrive', sentence: null })
    : next;
}
