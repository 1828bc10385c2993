/**
 * How an API token depends on its owner: it ends when the owner is removed, or changes the password and chooses so. A user who left the
 * identity provider shows only by not signing in any more, so tokens of inactive owners are suspended.
 */
import type { Actor, Broker } from '@/lib/broker';
import type { TokenView } from '@/lib/contract/access/access-schemas';
import { DAY_MS } from '@/lib/contract/time-units';
import { getBroker } from '../console-broker';
import { isOfThisProvider } from './identity-provider/oidc-user';
import { type Rights, rightsOf } from './user-rights';
import { localUserOf } from './users/local-users';

export const OWNER_AWAY_MAX_DAYS = 30;
type Token = Awaited<ReturnType<Broker['access']['tokens']['list']>>[number];
type Found = NonNullable<Awaited<ReturnType<Broker['access']['tokens']['look']>>>;

/** Its owner has been inactive for too long: suspended until the owner signs in again. */
export const isSuspended = ({ token, owner, now }: Found): boolean =>
  token.ownerMethod === 'oidc' && now - (owner.seen?.lastSeenAt ?? 0) > OWNER_AWAY_MAX_DAYS * DAY_MS;

/** Why a token ended before it expired; null: it did not. */
export function tokenEnd({ ownerId, ownerMethod: ownerWay, ownerGeneration }: Token): TokenView['endedBy'] {
  if (ownerWay === 'oidc' && !isOfThisProvider(ownerId)) return 'owner-removed';
  if (ownerWay !== 'local') return null;
  const owner = localUserOf(ownerId);
  if (owner === null) return 'owner-removed';
  return owner.tokenGeneration === ownerGeneration ? null : 'password-changed';
}

/** The owner's present grants; null: the token is not valid. */
export const tokenOwnerRights = ({ token, owner }: Found): Rights | null =>
  tokenEnd(token) === null ? rightsOf(owner, token.ownerMethod) : null;

/** Removes tokens that ended with a password, so that new ones fit under the limit. @returns how many */
export async function removeEndedTokens(ownerId: string, by: Actor): Promise<number> {
  const { tokens } = getBroker().access;
  let dropped = 0;
  for (const token of await tokens.list(ownerId))
    if (tokenEnd(token) !== null && (await tokens.revoke(token.id, { ownerId }, by))) dropped += 1;
  return dropped;
}
