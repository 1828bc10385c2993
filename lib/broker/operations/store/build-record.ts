/** Builds and changes the record of an operation. Pure. */

import { type Actor, toOperationRights } from '@/lib/broker/access/actor';
import type { OperationEvent } from '@/lib/contract/operations/operation';
import { OPERATION_EVENTS_KEPT, RERUNS } from '@/lib/contract/operations/operation-kinds';
import type { OperationRecord } from '@/lib/contract/operations/operation-record';
import type { ProgressTotals } from '../kinds/shard-progress';
import { freshControl } from '../rules/decide-next';

type RequiredField = 'id' | 'kind' | 'scope' | 'shards' | 'states' | 'cutoff' | 'expected' | 'estimated';

export function buildRecord(
  now: number,
  by: Actor & { reason: string },
  fields: Pick<OperationRecord, RequiredField> & Partial<OperationRecord>,
): OperationRecord {
  return {
    status: 'running',
    target: null,
    patch: null,
    maskedPatch: null,
    dueAt: null,
    format: null,
    maxRows: null,
    includeUnsafe: false,
    actor: by.actor,
    reason: by.reason,
    createdAt: now,
    startedAt: null,
    endedAt: null,
    marks: [],
    scanned: 0,
    moved: 0,
    skipped: 0,
    skips: {},
    rate: { perSecond: null, keepReadyBelow: null },
    canary: null,
    stop: null,
    phase: fields.canary ? 'canary' : null,
    paused: null,
    outcome: RERUNS.has(fields.kind)
      ? { completed: 0, running: 0, waiting: 0, diedAgain: 0, recalled: 0, deleted: 0, groups: [] }
      : null,
    trouble: null,
    error: null,
    undoes: null,
    undoneBy: [],
    undone: 0,
    undo: null,
    decidedBy: null,
    events: [{ at: now, type: 'created', by: by.actor, sentence: by.reason }],
    hasSelection: false,
    preview: null,
    requestId: by.requestId ?? null,
    principal: toOperationRights(by),
    runner: null,
    control: freshControl(now),
    epoch: 0,
    cancelling: null,
    ...fields,
  };
}

/** Adds an event; the first and the latest others stay. */
export function withEvent(record: OperationRecord, event: OperationEvent): OperationRecord {
  const { events } = record;
  const kept = events.length < OPERATION_EVENTS_KEPT ? events : [...events.slice(0, 1), ...events.slice(2)];
  return { ...record, events: [...kept, { ...event, sentence: event.sentence?.slice(0, 500) ?? null }] };
}

/** Counts only grow: a shard that does not answer must not take back what was counted before. */
export const withCounts = (record: OperationRecord, totals: ProgressTotals): OperationRecord => ({
  ...record,
  scanned: Math.max(record.scanned, totals.scanned),
  moved: Math.max(record.moved, totals.moved),
  skipped: Math.max(record.skipped, totals.skipped),
  skips: totals.skipped >= record.skipped ? totals.skips : record.skips,
});
