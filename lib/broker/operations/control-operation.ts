/** A user's actions on an open operation: pause, resume, cancel, approve, reject, and change its rate. */

import type { Operation } from '@/lib/contract/operations/operation';
import { isOpen, type OperationAction, RERUNS } from '@/lib/contract/operations/operation-kinds';
import type { OperationRecord } from '@/lib/contract/operations/operation-record';
import type { OperationChange } from '@/lib/contract/operations/operation-request';
import { RedriveError } from '@/lib/contract/redrive-error';
import { type Actor, toOperationRights } from '../access/actor';
import { serverNow } from '../redis/server-info';
import type { ShardedContext } from '../shards/sharded-context';
import { isApprovalNeeded } from './preview/operation-checks';
import { freshBucket } from './runner/decide-next';
import { cancelOperation } from './runner/operation-transitions';
import { dropRunnerState } from './runner/runner-state';
import { withEvent } from './store/build-record';
import { controlSummary, recordEnd } from './store/operation-audit';
import { endedOf } from './store/operation-outcome';
import { loadRecord, updateRecord } from './store/operation-store';
import { toOperation } from './store/read-operations';

/** @throws RedriveError OPERATION_STATE when the status does not allow it, OPERATION_NOT_FOUND, FORBIDDEN for one's own approval */
export async function applyAction(
  ctx: ShardedContext,
  id: string,
  action: OperationAction,
  by: Actor,
  reason?: string,
  canary = false,
): Promise<Operation> {
  const now = await serverNow(ctx);
  const why = reason ?? by.reason ?? null;
  if (action === 'resume') await refuseWithoutApproval(ctx, await loadRecord(ctx, id), by);
  if (canary && action !== 'resume')
    throw noCanary(`A canary goes before an operation that is resumed, not with ${action}.`);
  const canaryFrom = canary ? await canaryBase(ctx, await loadRecord(ctx, id)) : null;
  const record = await updateRecord(
    ctx,
    id,
    (latest) => ACT[action](latest, { now, by: by.actor, actor: by, why, canaryFrom }),
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

/**
 * An operation confirmed before its queue asked for approval needs another user to resume it.
 * @throws RedriveError FORBIDDEN
 */
async function refuseWithoutApproval(ctx: ShardedContext, record: OperationRecord, by: Actor): Promise<void> {
  const { status, decidedBy, cutoff, shards } = record;
  if (status !== 'paused' || decidedBy !== null || !isSamePerson(record, by)) return;
  if (!(await isApprovalNeeded(ctx, record, { at: cutoff, cutoff }, shards))) return;
  throw new RedriveError(
    'FORBIDDEN',
    `Operation ${record.id} was confirmed before one of its queues asked for approval (purgeNeedsApproval). Somebody else must resume it; or cancel it and start a new one, which then waits for approval.`,
    { fields: [{ field: 'purgeNeedsApproval', message: 'is set for a queue of the operation' }] },
  );
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
  resume(record, { now, by, actor, why, canaryFrom }) {
    if (record.status === 'running') return null;
    const { paused } = record;
    if (record.status !== 'paused' || !paused) throw refused(record, 'resumed', 'only a paused one can be');
    const { control } = record;
    const waited = control.canaryWaitingSince === null ? null : control.canaryWaitingSince + now - paused.at;
    const next: OperationRecord = {
      ...record,
      status: 'running',
      paused: null,
      epoch: record.epoch + 1,
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

/** By id where users sign in, since names repeat and a user may have tokens. With AUTH=none all users have one id. */
const isSamePerson = ({ principal: rights, actor }: OperationRecord, by: Actor): boolean =>
  rights && rights.method !== 'none' && by.actorId !== undefined
    ? userOf(rights) === userOf(by) || isNamesake(rights, by)
    : actor === by.actor;

const userOf = ({ actorId = '', ownerId }: Pick<Actor, 'actorId' | 'ownerId'>): string => ownerId ?? actorId;
const methodOf = (by: Pick<Actor, 'actorId' | 'ownerId'>): string => userOf(by).split(':')[0] ?? '';
/** A token's name ends in its owner's. */
const nameOf = ({ actor, method }: Pick<Actor, 'actor' | 'method'>): string =>
  (method === 'token' ? actor.replace(/^.* \(token of (.*)\)$/s, '$1') : actor)
    .normalize('NFC')
    .toLowerCase();

/** The same name by another sign-in method is most likely one person with two identities. */
const isNamesake = (one: Actor, other: Actor): boolean =>
  methodOf(one) !== methodOf(other) && nameOf(one) === nameOf(other);

/** Changes rate and automatic stop, from the next chunk on. */
export async function changeOperation(
  ctx: ShardedContext,
  id: string,
  { rate, stop }: OperationChange,
  by: Actor,
): Promise<Operation> {
  const now = await serverNow(ctx);
  const record = await updateRecord(
    ctx,
    id,
    (latest) => {
      if (!isOpen(latest.status)) throw refused(latest, 'changed', 'it has ended');
      if (stop && !RERUNS.has(latest.kind))
        throw new RedriveError(
          'VALIDATION',
          `An automatic stop is for operations whose jobs run again; what a ${latest.kind} moves does not.`,
          { fields: [{ field: 'stop', message: `does not fit a ${latest.kind}` }] },
        );
      const next = { ...latest, rate: rate ?? latest.rate, stop: stop === undefined ? latest.stop : stop };
      if (stop && latest.stop === null) {
        // Earlier ends do not count.
        next.control = { ...latest.control, samples: [] };
        next.epoch += 1;
      }
      return withEvent(next, {
        at: now,
        type: 'changed',
        by: by.actor,
        sentence: describeChange(rate, stop),
      });
    },
    (before, after) => ({
      by,
      action: 'operation.change',
      before: controlSummary(before),
      after: controlSummary(after),
    }),
  );
  return toOperation(record);
}

function describeChange(rate: OperationChange['rate'], stop: OperationChange['stop']): string {
  const words: string[] = [];
  if (rate)
    words.push(
      rate.perSecond === null ? 'Unlimited rate' : `At most ${rate.perSecond} a second`,
      ...(rate.keepReadyBelow === null ? [] : [`while at most ${rate.keepReadyBelow} are ready`]),
    );
  if (stop === null) words.push('no automatic stop');
  if (stop) words.push(`stops when more than ${Math.round(stop.maxDiedAgain * 100)} % die again`);
  const sentence = words.join(', ');
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

const refused = (record: OperationRecord, done: string, why: string): RedriveError =>
  new RedriveError(
    'OPERATION_STATE',
    `Operation ${record.id} is ${record.status} and cannot be ${done}: ${why}.`,
  );
