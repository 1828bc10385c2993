/** A request to a worker as stored: `<action> <start of that worker> <at> <json>` with user and reason. */
import { WORKER_ACTIONS } from '@/lib/contract/workers/worker-limits';
import type { PendingRequest, WorkerAction } from '@/lib/contract/workers/worker-requests';
import { parseHistoryFields } from '../access/actor';

/** The row itself tells one request from the next. */
export interface StoredRequest extends PendingRequest {
  readonly row: string;
}

/** What a row begins with: the request is for the worker with this id that started then, and for none that takes its id later. */
export const requestTarget = (action: WorkerAction, startedAt: number): string => `${action} ${startedAt}`;

/** Null: there is none, it is for a worker that has ended, or this version does not know it. */
export function parseRequestRow(row: string | null | undefined, startedAt: number): StoredRequest | null {
  const [, word = '', start = '', at = '', json = ''] = row?.match(/^(\w+) ([\d.]+) (\d+) (\{.*\})$/s) ?? [];
  const action = WORKER_ACTIONS.find((one) => one === word);
  if (!row || !action || start !== String(startedAt)) return null;
  const { actor = 'unknown', reason = '' } = parseHistoryFields(json);
  return { action, at: Number(at), actor, reason, row };
}
