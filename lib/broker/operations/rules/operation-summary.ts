/** An operation in one line, for the audit log and the change logs of queues, and the actor that they name. Pure. */

import type { Actor } from '@/lib/broker/access/actor';
import { changeText } from '@/lib/broker/audit/change-text';
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
