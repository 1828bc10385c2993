/** Enters new operations, within the quotas of their users. */
import type { Actor } from '@/lib/broker/access/actor';
import { quotaArg, quotaArgs, quotaReachedError, quotaRefusal } from '@/lib/broker/access/quota-check';
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import { KIND_RULES } from '@/lib/contract/operations/operation-kinds';
import type { OperationRecord } from '@/lib/contract/operations/operation-record';
import { reusedKey } from '@/lib/contract/reused-key-error';
import type { OperationAuditEvent } from './operation-audit';
import { deleteOldOperations, settleUndos } from './operation-retention';
import { findRecord, writeRecord } from './operation-store';

/**
 * Enters a new operation, with its jobs when they were selected one by one. When its id exists, the same request was sent before: the
 * operation it started is returned.
 * @throws RedriveError LIMIT_REACHED, ID_CONFLICT
 */
export async function createRecord(
  ctx: ShardedContext,
  record: OperationRecord,
  auditEvent: OperationAuditEvent,
  jobs: string = '',
): Promise<OperationRecord> {
  const shares = sharesOf(record, auditEvent.by);
  const enter = () => writeRecord(ctx, record, { before: '', jobs, shares }, auditEvent);
  let reply = await enter();
  if (quotaRefusal(reply)?.quota === 'undos' && (await settleUndos(ctx, record.createdAt)))
    reply = await enter();
  const refused = quotaRefusal(reply);
  if (refused) {
    const key = ctx.keys.global('operationsShares');
    throw await quotaReachedError(ctx, key, refused, auditEvent.by, refused.quota);
  }
  if (Number(reply) !== 1) return requireSameRequest(await findRecord(ctx, record.id), record);
  // The operation is entered, whether or not old ones can be deleted.
  await deleteOldOperations(ctx, record.createdAt).catch(() => undefined);
  return record;
}

type SentRequest = Pick<OperationRecord, 'preview' | 'undoes' | 'reason' | 'terms'>;

/** @throws RedriveError ID_CONFLICT when one Idempotency-Key stands for two requests */
function requireSameRequest(existing: OperationRecord | null, request: SentRequest): OperationRecord {
  const { preview, undoes, reason, terms } = request;
  if (
    existing?.preview === preview &&
    existing.undoes === undoes &&
    existing.reason === reason &&
    (existing.terms ?? terms) === terms
  )
    return existing;
  throw reusedKey('operation');
}

/** The operation that an earlier sending of the request started; null: none. @throws RedriveError ID_CONFLICT */
export async function findResent(
  ctx: BrokerContext,
  id: string,
  by: Actor,
  request: SentRequest,
): Promise<OperationRecord | null> {
  const existing = by.requestId ? await findRecord(ctx, id) : null;
  return existing === null ? null : requireSameRequest(existing, request);
}

/** An export stays open until its file is downloaded, so a second quota limits exports; Redis keeps what can be undone, so a third limits undos. */
const sharesOf = ({ kind, undoes }: OperationRecord, by: Actor): string => {
  const exports = kind === 'export' ? [quotaArg('exports', by)] : [];
  const undos = undoes === null && KIND_RULES[kind].undoneBy !== null ? [quotaArg('undos', by)] : [];
  return quotaArgs(quotaArg('operations', by), ...exports, ...undos);
};
