/** Audit events of operations, their entries in the change logs of queues, and the summary of an operation. */

import { type Actor, actorJson } from '@/lib/broker/access/actor';
import { changeText } from '@/lib/broker/audit/change-text';
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import type { Arg } from '@/lib/broker/redis/script-runner';
import { forEachLimited } from '@/lib/broker/shards/fan-out';
import type { AccessScope } from '@/lib/contract/access/grant-scopes';
import type { Operation } from '@/lib/contract/operations/operation';
import type { OperationRecord } from '@/lib/contract/operations/operation-record';
import type { Scope } from '@/lib/contract/operations/operation-request';
import { parseQueryOrThrow, printQuery } from '@/lib/contract/search/query';

/** The principal of an operation, as job histories and change logs name it. */
export const operationActor = (record: OperationRecord): Actor => ({
  ...(record.principal ?? { actor: record.actor }),
  reason: record.reason,
  requestId: record.id,
});

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

type Summarised = Pick<Operation, 'kind' | 'id' | 'scope' | 'cutoff' | 'target' | 'undoes'>;

/** `purge op-1: dead, code:X type:mail, up to 2026-03-01T10:00:00.000Z`. Kind and id always come first. */
export const operationSummary = (operation: Summarised): string =>
  `${operation.kind} ${operation.id}${scopeSummary(operation)}`;

/** The part of the summary behind kind and id. */
export function scopeSummary({ kind, scope, cutoff, target, undoes }: Omit<Summarised, 'id'>): string {
  if (kind === 'delete-queue') return `: all of ${scope.queue}`;
  const parts = [
    `${scope.state}`,
    querySummary(scope),
    ...(scope.queue === undefined ? [] : [`only in ${scope.queue}`]),
    ...(scope.within === undefined ? [] : [accessSummary(scope.within)]),
    ...(target === null ? [] : [`to ${target}`]),
    ...(undoes === null ? [] : [`undoing ${undoes}`]),
    `up to ${new Date(cutoff).toISOString()}`,
  ];
  return `: ${parts.join(', ')}`;
}

/** A long query must not cut off the parts behind it. */
const QUERY_MAX_BYTES = 1_000;

function querySummary({ q, jobs }: Scope): string {
  if (jobs) return `${jobs.length} selected ${jobs.length === 1 ? 'job' : 'jobs'}`;
  const query = normalQuery(q ?? '');
  return query === '' ? 'all' : changeText(query, QUERY_MAX_BYTES);
}

const QUEUES_NAMED = 3;
function accessSummary(within: AccessScope): string {
  const named = within.slice(0, QUEUES_NAMED).map(({ queue, tenants }) => {
    if (tenants === null) return queue;
    const [first = '', ...others] = tenants;
    return `${queue} of ${others.length === 0 ? first : `${tenants.length} tenants`}`;
  });
  const more = within.length - named.length;
  return `within ${[...named, ...(more > 0 ? [`${more} more`] : [])].join(' and ') || 'nothing'}`;
}

/** The query in its normal spelling. */
function normalQuery(q: string): string {
  try {
    return printQuery(parseQueryOrThrow(q));
  } catch {
    // A later version may not read the query of an earlier one.
    return q.trim();
  }
}

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
