/** The request behind a call of the authorized broker, and the author it records. */
import { type Actor, idFrom } from '@/lib/broker';
import { type AccessScope, isFullScope, type Permission } from '@/lib/contract/access/grant-scopes';
import { noSuchQueue } from '@/lib/contract/not-found-errors';
import { actorOf, type Principal, scopeOf } from '../authentication/principal';
import { getBroker } from '../console-broker';

export interface RequestContext {
  readonly principal: Principal;
  readonly requestId: string;
  /** As sent by the client. */
  readonly idempotencyKey: string | null;
}

/** An idempotency key of one principal: two users may choose the same key. Null: no key was sent. */
export const intentId = ({ principal, idempotencyKey }: RequestContext): string | null =>
  idempotencyKey === null ? null : idFrom('intent', principal.id, idempotencyKey);

export const requestActor = (context: RequestContext, body?: { reason?: string | undefined }): Actor =>
  actorOf({ ...context, idempotencyKey: intentId(context), body });

/** The option that limits a read to the principal's scope; left out for a full scope, which needs no checks. */
export function scopeLimit(principal: Principal, permission: Permission): { within?: AccessScope } {
  const within = scopeOf(principal, permission);
  return isFullScope(within) ? {} : { within };
}

/** Called after the permission check, so that Redis is not read for a queue the principal must not see. @throws RedriveError QUEUE_NOT_FOUND */
export async function requireQueue(queue: string): Promise<void> {
  if (!(await getBroker().inspect.exists(queue))) throw noSuchQueue(queue);
}
