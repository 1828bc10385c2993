/** Audit events of operations, and their entries in the change logs of queues. */

import { type Actor, actorJson } from '@/lib/broker/access/actor';
import { changeText } from '@/lib/broker/audit/change-text';
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import type { Arg } from '@/lib/broker/redis/script-runner';
import { forEachLimited } from '@/lib/broker/shards/fan-out';
import type { OperationRecord } from '@/lib/contract/operations/operation-record';
import { operationActor, operationSummary, scopeSummary } from '../rules/operation-summary';

export interface OperationAuditEvent {
  readonly by: Actor;
  /** Such as `operation.start`. */
  readonly action: string;
  readonly before?: string;
  readonly after?: string;
  /** Jobs concerned. */
  readonly count?: number;
}

/** The last arguments of operation-save.lua. */
export function auditEventArgs(
  record: OperationRecord,
  { by, action, before, after, count }: OperationAuditEvent,
): Arg[] {
  const queues = new Set(record.shards.map(({ queue }) => queue));
  const [onlyQueue = ''] = queues.size === 1 ? queues : [];
  const target = changeText(`${record.kind}${scopeSummary(record)}`);
  return [actorJson(by), action, onlyQueue, target, changeText(before), changeText(after), count ?? ''];
}

/** Rate and automatic stop, for `before` and `after`. */
export const controlSummary = ({ rate, stop }: OperationRecord): string => JSON.stringify({ rate, stop });

/** @param unhides queues that hide more of their jobs than the queue to which these are moved */
export const startEvent = (
  record: OperationRecord,
  by: Actor,
  unhides: readonly string[] = [],
): OperationAuditEvent => {
  const { status, cutoff, hasSelection, dueAt, includeUnsafe, format, maxRows, rate, canary, stop, undoes } =
    record;
  // The paths of an edit, never its values. Last, because only this may be long.
  const patch = record.patch?.map(({ op, path }) => `${op} ${path}`) ?? null;
  const options = { dueAt, includeUnsafe, format, maxRows, rate, canary, stop, undoes, patch };
  const given = Object.entries(options).filter(([, value]) => value !== null && value !== false);
  return {
    by: { ...by, reason: record.reason },
    action: undoes === null ? 'operation.start' : 'operation.undo',
    after: JSON.stringify({
      status,
      ...(unhides.length > 0 ? { unhides } : {}),
      cutoff,
      hasSelection,
      ...Object.fromEntries(given),
    }),
    count: record.expected,
  };
};

const QUEUES_AT_ONCE = 8;

/** Writes the end of an operation that moved nothing to the change log of its queues, once a queue. A queue that does not answer is left out. */
export async function recordEnd(ctx: BrokerContext, record: OperationRecord, ending: string): Promise<void> {
  const by = actorJson(operationActor(record));
  const queues = [...new Set(record.shards.map(({ queue }) => queue))];
  // An export counts its rows over all queues.
  const rows = queues.length === 1 ? record.moved : '';
  await forEachLimited(queues, QUEUES_AT_ONCE, async (queue) => {
    await ctx
      .run('operation-record-end', queue, [record.id, by, operationSummary(record), ending, rows])
      .catch(() => undefined);
  });
}
