/** Who calls a verb, and what is said of it in the record of the change. */
import { type Actor, idFrom } from '@/lib/broker';
import { isEverywhere, type Permission, type Within } from '@/lib/contract/permissions';
import { actorOf, type Principal, withinOf } from '../access/principal';

export interface Caller {
  readonly principal: Principal;
  readonly requestId: string;
  /** As it was sent. */
  readonly idempotencyKey: string | null;
}

/** One intent of one person: two people who choose the same key mean two things. Null: no key was sent. */
export const intentOf = ({ principal, idempotencyKey }: Caller): string | null =>
  idempotencyKey === null ? null : idFrom('intent', principal.id, idempotencyKey);

export const actor = (caller: Caller, body?: { reason?: string | undefined }): Actor =>
  actorOf({ ...caller, idempotencyKey: intentOf(caller), body });

/** For verbs that narrow what they look at: where the permission holds; left out when that is everywhere, which costs nothing. */
export function narrowed(principal: Principal, permission: Permission): { within?: Within } {
  const within = withinOf(principal, permission);
  return isEverywhere(within) ? {} : { within };
}
