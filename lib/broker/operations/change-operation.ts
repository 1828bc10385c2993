/** Changes of the rate and the automatic stop of an open operation. */

import type { Operation } from '@/lib/contract/operations/operation';
import { isOpen, RERUNS } from '@/lib/contract/operations/operation-kinds';
import type { OperationRecord } from '@/lib/contract/operations/operation-record';
import type { OperationChange } from '@/lib/contract/operations/operation-request';
import { RedriveError } from '@/lib/contract/redrive-error';
import { type Actor, toOperationRights } from '../access/actor';
import { serverNow } from '../redis/server-info';
import type { ShardedContext } from '../shards/sharded-context';
import { refused } from './control-operation';
import { askingQueue } from './second-user';
import { withEvent } from './store/build-record';
import { controlSummary } from './store/operation-audit';
import { loadRecord, updateRecord } from './store/operation-store';
import { toOperation } from './store/read-operations';

/** Throws if the user must not. `isLooser`: the operation may go faster or further than before. */
export type MayChangeOperation = (record: OperationRecord, isLooser: boolean) => void;

/**
 * Changes rate and automatic stop, from the next chunk on. Where a queue asks for approval, a change that lets it go faster or further pauses
 * it until another user resumes it.
 * @param may decides on the record that is changed
 */
export async function changeOperation(
  ctx: ShardedContext,
  id: string,
  { rate, stop }: OperationChange,
  by: Actor,
  may: MayChangeOperation = () => {},
): Promise<Operation> {
  const now = await serverNow(ctx);
  const asking = await askingQueue(ctx, await loadRecord(ctx, id));
  const record = await updateRecord(
    ctx,
    id,
    (latest) => {
      const asked = { rate: rate ?? latest.rate, stop: stop === undefined ? latest.stop : stop };
      const looser = isLooser(latest, asked);
      may(latest, looser);
      if (!isOpen(latest.status)) throw refused(latest, 'changed', 'it has ended');
      if (looser && latest.status === 'awaiting-approval')
        throw refused(
          latest,
          'made faster or go further',
          'another user looks at it as it is. Cancel it and start a new one',
        );
      if (stop && !RERUNS.has(latest.kind))
        throw new RedriveError(
          'VALIDATION',
          `An automatic stop is for operations whose jobs run again; what a ${latest.kind} moves does not.`,
          { fields: [{ field: 'stop', message: `does not fit a ${latest.kind}` }] },
        );
      const next = { ...latest, ...asked };
      if (stop && latest.stop === null) {
        // Earlier ends do not count.
        next.control = { ...latest.control, samples: [] };
        next.epoch += 1;
      }
      const sentence = describeChange(rate, stop);
      const changed = withEvent(next, { at: now, type: 'changed', by: by.actor, sentence });
      return looser && asking !== null && latest.cancelling === null
        ? awaitSecond(changed, { now, by, asking })
        : changed;
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

/** An earlier approval was of the operation as it was. Who changed it cannot let it go on. */
function awaitSecond(
  record: OperationRecord,
  { now, by, asking }: { now: number; by: Actor; asking: string },
): OperationRecord {
  const next: OperationRecord = { ...record, decidedBy: null, principal: toOperationRights(by) };
  if (record.status !== 'running') return next;
  const sentence = `${by.actor} lets it go faster or further, and ${asking} asks for approval (purgeNeedsApproval). Another user must resume it, or cancel it.`;
  const paused = { by: 'approval', at: now, sentence };
  return withEvent(
    { ...next, status: 'paused', paused, runner: null },
    { at: now, type: 'paused', by: 'approval', sentence },
  );
}

type Limits = Pick<OperationRecord, 'rate' | 'stop'>;

/** Whether it may move more in the same time, or go on where it would have stopped. */
function isLooser(before: Limits, after: Limits): boolean {
  const isRaised = (one: number | null, other: number | null) =>
    one !== null && (other === null || other > one);
  const [stop, next] = [before.stop, after.stop];
  return (
    isRaised(before.rate.perSecond, after.rate.perSecond) ||
    isRaised(before.rate.keepReadyBelow, after.rate.keepReadyBelow) ||
    (stop !== null &&
      (next === null || next.maxDiedAgain > stop.maxDiedAgain || next.minEnded > stop.minEnded))
  );
}

function describeChange(rate: OperationChange['rate'], stop: OperationChange['stop']): string {
  const words: string[] = [];
  if (rate)
    words.push(
      rate.perSecond === null ? 'Unlimited rate' : `At most ${rate.perSecond} a second`,
      ...(rate.keepReadyBelow === null ? [] : [`while at most ${rate.keepReadyBelow} are ready`]),
    );
  if (stop === null) words.push('no automatic stop');
  if (stop) words.push(`stops when more than ${Math.round(stop.maxDiedAgain * 100)}% die again`);
  const sentence = words.join(', ');
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}
