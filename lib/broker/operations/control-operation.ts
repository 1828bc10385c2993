/** A user's actions on an open operation: pause, resume, cancel, approve, reject. */

import type { Operation } from '@/lib/contract/operations/operation';
import { isOpen, type OperationAction } from '@/lib/contract/operations/operation-kinds';
import type { OperationRecord } from '@/lib/contract/operations/operation-record';
import { RedriveError } from '@/lib/contract/redrive-error';
import { type Actor, toOperationRights } from '../access/actor';
import { serverNow } from '../redis/server-info';
import type { ShardedContext } from '../shards/sharded-context';
import { freshBucket } from './rules/rate-bucket';
import { cancelOperation } from './runner/operation-transitions';
import { dropRunnerState } from './runner/runner-state';
import { askingQueue, isSamePerson } from './second-user';
import { withEvent } from './store/build-record';
import { recordEnd } from './store/operation-audit';
import { endedOf } from './store/operation-outcome';
import { loadRecord, updateRecord } from './store/operation-store';
import { toOperation } from './store/read-operations';

/**
 * @param may decides on the record that is changed
 * @throws RedriveError OPERATION_STATE when the status does not allow it, OPERATION_NOT_FOUND, FORBIDDEN for one's own approval
 */
export async function applyAction(
  ctx: ShardedContext,
  id: string,
  action: OperationAction,
  by: Actor,
  reason?: string,
  canary = false,
  may: (record: OperationRecord) => void = () => {},
): Promise<Operation> {
  const now = await serverNow(ctx);
  const why = reason ?? by.reason ?? null;
  const read = await loadRecord(ctx, id);
  // First, so that a user who must not see it learns nothing of it; again on the record that is changed.
  may(read);
  if (canary && action !== 'resume')
    throw noCanary(`A canary goes before an operation that is resumed, not with ${action}.`);
  const canaryFrom = canary ? await canaryBase(ctx, read) : null;
  const asking = action === 'resume' ? await askingQueue(ctx, read) : null;
  const record = await updateRecord(
    ctx,
    id,
    (latest) => {
      may(latest);
      return ACT[action](latest, { now, by: by.actor, actor: by, why, canaryFrom, asking });
    },
    (before, after) => ({
      by: { ...by, reason: why ?? undefined },
      action: `operation.${action}`,
      before: statusText(before),
      after: statusText(after),
    }),
  );
  const stops = action === 'cancel' && isOpen(record.status);
  const after = stops ? await cancelOperation(ctx, record, now) : record;
  if (stops) dropRunnerState(ctx, id);
  await recordUnbegun(ctx, after);
  return toOperation(after);
}

const noCanary = (sentence: string): RedriveError =>
  new RedriveError('VALIDATION', sentence, { fields: [{ field: 'canary', message: sentence }] });

/** What was moved and ended before another canary: a paused operation moves no more. @throws RedriveError VALIDATION */
async function canaryBase(ctx: ShardedContext, record: OperationRecord): Promise<Act['canaryFrom']> {
  const ended = record.canary === null ? null : await endedOf(ctx, record, record.moved);
  if (ended === null) throw noCanary(`Operation ${record.id} has no canary. Leave it out to resume.`);
  return { moved: record.moved, ...ended };
}

const statusText = ({ status, cancelling }: OperationRecord): string =>
  JSON.stringify({ status: cancelling ? 'cancelling' : status });

/** Also on a resend, because the first call may have died before. */
async function recordUnbegun(ctx: ShardedContext, record: OperationRecord): Promise<void> {
  if (record.status === 'rejected')
    await recordEnd(ctx, record, `rejected by ${record.decidedBy ?? 'redrive'}`);
  if (record.status === 'cancelled' && record.moved + record.skipped === 0)
    await recordEnd(ctx, record, 'cancelled before it began');
}

interface Act {
  readonly now: number;
  readonly by: string;
  readonly actor: Actor;
  readonly why: string | null;
  /** Where another canary begins; null: none goes first. */
  readonly canaryFrom: OperationRecord['control']['canaryFrom'];
  /** The queue that asks for a second user; null: none. */
  readonly asking: string | null;
}
type Change = (record: OperationRecord, act: Act) => OperationRecord | null;

/** Null: the record is in that status already, as after a resend. */
const ACT: Readonly<Record<OperationAction, Change>> = {
  pause(record, { now, by, why }) {
    if (record.status === 'paused') return null;
    if (record.status !== 'running') throw refused(record, 'paused', 'only a running one can be');
    const sentence = why ?? `Paused by ${by}.`;
    const next: OperationRecord = {
      ...record,
      status: 'paused',
      paused: { by, at: now, sentence },
      runner: null,
    };
    return withEvent(next, { at: now, type: 'paused', by, sentence: why });
  },
  resume(record, { now, by, actor, why, canaryFrom, asking }) {
    if (record.status === 'running') return null;
    const { paused } = record;
    if (record.status !== 'paused' || !paused) throw refused(record, 'resumed', 'only a paused one can be');
    const needsSecond = asking !== null && record.decidedBy === null;
    if (needsSecond && isSamePerson(record, actor))
      throw new RedriveError(
        'FORBIDDEN',
        `${asking} asks for approval (purgeNeedsApproval), and no other user has approved operation ${record.id} as it is now. Another user must resume it; or cancel it and start a new one, which then waits for approval.`,
        { fields: [{ field: 'purgeNeedsApproval', message: 'is set for a queue of the operation' }] },
      );
    const { control } = record;
    const waited = control.canaryWaitingSince === null ? null : control.canaryWaitingSince + now - paused.at;
    const next: OperationRecord = {
      ...record,
      status: 'running',
      paused: null,
      epoch: record.epoch + 1,
      decidedBy: needsSecond ? by : record.decidedBy,
      // The user who resumes it is its principal from here on.
      principal: toOperationRights(actor),
      control: {
        bucket: freshBucket(now, record.moved),
        // The time of a pause is not held against the canary. Resuming a failed one means going on without it.
        canaryWaitingSince: canaryFrom || paused.by === 'canary' ? null : waited,
        canaryDone: canaryFrom === null && (control.canaryDone || paused.by === 'canary'),
        canaryFrom: canaryFrom ?? control.canaryFrom,
        // The window of the automatic stop starts anew.
        samples: [],
      },
    };
    next.phase = canaryFrom ? 'canary' : next.control.canaryDone ? null : record.phase;
    return withEvent(next, { at: now, type: 'resumed', by, sentence: why });
  },
  cancel(record, { now, by, why }) {
    if (record.status === 'cancelled' || record.cancelling) return null;
    if (!isOpen(record.status)) throw refused(record, 'cancelled', 'what it moved stays moved');
    const event = { at: now, type: 'cancelled', by, sentence: why } as const;
    if (record.status === 'awaiting-approval' || record.kind === 'export')
      return withEvent({ ...record, status: 'cancelled', endedAt: now }, event);
    return { ...record, status: 'running', paused: null, cancelling: { by, at: now } };
  },
  approve(record, { now, by, actor, why }) {
    if (record.decidedBy === by && record.status === 'running') return null;
    if (record.status !== 'awaiting-approval') throw refused(record, 'approved', 'it does not wait for that');
    if (isSamePerson(record, actor))
      throw new RedriveError(
        'FORBIDDEN',
        `${by} has started this operation; somebody else must approve it. That is what a second person is for.`,
      );
    const next: OperationRecord = { ...record, status: 'running', decidedBy: by };
    return withEvent(next, { at: now, type: 'approved', by, sentence: why });
  },
  reject(record, { now, by, why }) {
    if (record.status === 'rejected') return null;
    if (record.status !== 'awaiting-approval') throw refused(record, 'rejected', 'it does not wait for that');
    const next: OperationRecord = { ...record, status: 'rejected', decidedBy: by, endedAt: now, error: why };
    return withEvent(next, { at: now, type: 'rejected', by, sentence: why });
  },
};

export const refused = (record: OperationRecord, done: string, why: string): RedriveError =>
  new RedriveError(
    'OPERATION_STATE',
    `Operation ${record.id} is ${record.status} and cannot be ${done}: ${why}.`,
  );
