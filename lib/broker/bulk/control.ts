/** What a person does to an operation that is under way: pause, resume, cancel, approve, reject, and change its pace. */
import { parseOrThrow, RedriveError } from '@/lib/contract/errors';
import {
  isOpen,
  type Operation,
  type OperationAction,
  type OperationChange,
  operationChangeSchema,
  RERUNS,
} from '@/lib/contract/operations';
import type { OperationRecord } from '@/lib/contract/verbs';
import type { Actor } from '../note';
import { serverNow } from '../now';
import type { ShardedContext } from '../shards';
import { withEvent } from './advance';
import { approvalNeeded } from './approval';
import { rightsOf } from './create';
import { controlText } from './deed';
import { stopped } from './endings';
import { noteEnd } from './noted';
import { loadRecord, updateRecord } from './records';
import { forgetRun } from './run';
import { freshBucket } from './velocity';
import { shown } from './view';

/** @throws RedriveError OPERATION_STATE when it is past that, OPERATION_NOT_FOUND, FORBIDDEN for one's own approval */
export async function actOnOperation(
  ctx: ShardedContext,
  id: string,
  action: OperationAction,
  by: Actor,
  reason?: string,
): Promise<Operation> {
  const now = await serverNow(ctx);
  const why = reason ?? by.reason ?? null;
  if (action === 'resume') await refuseWithoutApproval(ctx, await loadRecord(ctx, id), by);
  const record = await updateRecord(
    ctx,
    id,
    (latest) => ACT[action](latest, { now, by: by.actor, actor: by, why }),
    (before, after) => ({
      by: { ...by, reason: why ?? undefined },
      action: `operation.${action}`,
      before: statusText(before),
      after: statusText(after),
    }),
  );
  if (action !== 'cancel' || !isOpen(record.status)) {
    await noteUnbegun(ctx, record);
    return shown(record);
  }
  const after = await stopped(ctx, record, now);
  forgetRun(ctx, id);
  await noteUnbegun(ctx, after);
  return shown(after);
}

/**
 * What was confirmed before its queue asked for approval must not go on without one: whoever started it needs somebody else to resume it.
 * @throws RedriveError FORBIDDEN
 */
async function refuseWithoutApproval(ctx: ShardedContext, record: OperationRecord, by: Actor): Promise<void> {
  const { status, decidedBy, cutoff, places } = record;
  if (status !== 'paused' || decidedBy !== null || !isSamePerson(record, by)) return;
  if (!(await approvalNeeded(ctx, record, { at: cutoff, cutoff }, places))) return;
  throw new RedriveError(
    'FORBIDDEN',
    `Operation ${record.id} was confirmed before one of its queues asked for approval (purgeNeedsApproval). Somebody else must resume it; or cancel it and start a new one, which then waits for approval.`,
    { fields: [{ field: 'purgeNeedsApproval', message: 'is set for a queue of the operation' }] },
  );
}

const statusText = ({ status, stopping }: OperationRecord): string =>
  JSON.stringify({ status: stopping ? 'stopping' : status });

/** Whoever sends it again enters it, too: the first may have died before it came to this. */
async function noteUnbegun(ctx: ShardedContext, record: OperationRecord): Promise<void> {
  if (record.status === 'rejected')
    await noteEnd(ctx, record, `rejected by ${record.decidedBy ?? 'redrive'}`);
  if (record.status === 'cancelled' && record.moved + record.skipped === 0)
    await noteEnd(ctx, record, 'cancelled before it began');
}

interface Act {
  readonly now: number;
  readonly by: string;
  readonly actor: Actor;
  readonly why: string | null;
}
type Change = (record: OperationRecord, act: Act) => OperationRecord | null;

/** Null: it is so already. A call sent again must find what the first one did, not an error. */
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
    return withEvent(next, { at: now, what: 'paused', by, sentence: why });
  },
  resume(record, { now, by, actor, why }) {
    if (record.status === 'running') return null;
    const { paused } = record;
    if (record.status !== 'paused' || !paused) throw refused(record, 'resumed', 'only a paused one can be');
    const { control } = record;
    const waited = control.canarySince === null ? null : control.canarySince + now - paused.at;
    const next: OperationRecord = {
      ...record,
      status: 'running',
      paused: null,
      epoch: record.epoch + 1,
      // Whoever lets it go on answers for it from here.
      rights: rightsOf(actor),
      control: {
        bucket: freshBucket(now, record.moved),
        // The time of a pause is not held against the canary. Whoever resumes one that failed has decided to go on without it.
        canarySince: paused.by === 'canary' ? null : waited,
        canaryPast: control.canaryPast || paused.by === 'canary',
        // What had ended before is judged already: the window begins with the next look.
        samples: [],
      },
    };
    next.phase = next.control.canaryPast ? null : record.phase;
    return withEvent(next, { at: now, what: 'resumed', by, sentence: why });
  },
  cancel(record, { now, by, why }) {
    if (record.status === 'cancelled' || record.stopping) return null;
    if (!isOpen(record.status)) throw refused(record, 'cancelled', 'what it moved stays moved');
    const events = { at: now, what: 'cancelled', by, sentence: why } as const;
    // Nothing of it has begun.
    if (record.status === 'awaiting-approval' || record.kind === 'export')
      return withEvent({ ...record, status: 'cancelled', endedAt: now }, events);
    return { ...record, status: 'running', paused: null, stopping: { by, at: now } };
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
    return withEvent(next, { at: now, what: 'approved', by, sentence: why });
  },
  reject(record, { now, by, why }) {
    if (record.status === 'rejected') return null;
    if (record.status !== 'awaiting-approval') throw refused(record, 'rejected', 'it does not wait for that');
    const next: OperationRecord = { ...record, status: 'rejected', decidedBy: by, endedAt: now, error: why };
    return withEvent(next, { at: now, what: 'rejected', by, sentence: why });
  },
};

/** People may bear the same name, and a person may have tokens: of those who signed in the ids tell. With AUTH=none all have the same id. */
const isSamePerson = ({ rights, actor }: OperationRecord, by: Actor): boolean =>
  rights && rights.way !== 'none' && by.actorId !== undefined
    ? userOf(rights) === userOf(by) || isNamesake(rights, by)
    : actor === by.actor;

const userOf = ({ actorId = '', ownerId }: Pick<Actor, 'actorId' | 'ownerId'>): string => ownerId ?? actorId;
const methodOf = (by: Pick<Actor, 'actorId' | 'ownerId'>): string => userOf(by).split(':')[0] ?? '';
/** A token's name ends in its owner's. */
const nameOf = ({ actor, way }: Pick<Actor, 'actor' | 'way'>): string =>
  (way === 'token' ? actor.replace(/^.* \(token of (.*)\)$/s, '$1') : actor).normalize('NFC').toLowerCase();

/** The same name by another sign-in method: most likely one person with two identities, who is no second person. */
const isNamesake = (one: Actor, other: Actor): boolean =>
  methodOf(one) !== methodOf(other) && nameOf(one) === nameOf(other);

/** Changes pace and automatic stop, from the next chunk on. */
export async function changeOperation(
  ctx: ShardedContext,
  id: string,
  input: OperationChange,
  by: Actor,
): Promise<Operation> {
  const { pace, stop } = parseOrThrow(operationChangeSchema, input, 'change');
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
      const next = { ...latest, pace: pace ?? latest.pace, stop: stop === undefined ? latest.stop : stop };
      if (stop && latest.stop === null) {
        // What ended before anybody asked is not held against it.
        next.control = { ...latest.control, samples: [] };
        next.epoch += 1;
      }
      return withEvent(next, { at: now, what: 'changed', by: by.actor, sentence: wordsOf(pace, stop) });
    },
    (before, after) => ({
      by,
      action: 'operation.change',
      before: controlText(before),
      after: controlText(after),
    }),
  );
  return shown(record);
}

function wordsOf(pace: OperationChange['pace'], stop: OperationChange['stop']): string {
  const words: string[] = [];
  if (pace)
    words.push(
      pace.ratePerSecond === null ? 'As fast as it goes' : `At most ${pace.ratePerSecond} a second`,
      ...(pace.keepReadyBelow === null ? [] : [`while at most ${pace.keepReadyBelow} are ready`]),
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
