/**
 * What a token depends on of its owner. It ends when they are removed, and when they change their password and say so. Tokens of people who come by the identity provider: whoever left the company cannot come back there, and so shows only by staying away.
 * Their tokens must not go on for ever.
 */
import type { Broker } from '@/lib/broker';
import type { TokenView } from '@/lib/contract/access';
import { localUserOf } from './local-users';
import { isOfThisProvider } from './oidc-person';
import { type Rights, rightsOf } from './rights';

export const OWNER_AWAY_MAX_DAYS = 30;
const DAY_MS = 86_400_000;
type Token = Awaited<ReturnType<Broker['access']['tokens']['list']>>[number];
type Found = NonNullable<Awaited<ReturnType<Broker['access']['tokens']['look']>>>;

/** Its owner was away for too long: it is not in force until they have signed in again. */
export const isAsleep = ({ token, owner, now }: Found): boolean =>
  token.ownerWay === 'oidc' && now - (owner.seen?.lastSeenAt ?? 0) > OWNER_AWAY_MAX_DAYS * DAY_MS;

/** Why a token is over for good before it expires; null: it is not. */
export function endOf({ ownerId, ownerWay, ownerGeneration }: Token): TokenView['endedBy'] {
  if (ownerWay === 'oidc' && !isOfThisProvider(ownerId)) return 'owner-removed';
  if (ownerWay !== 'local') return null;
  const owner = localUserOf(ownerId);
  if (owner === null) return 'owner-removed';
  return owner.tokenGeneration === ownerGeneration ? null : 'password-changed';
}

/** What its owner may do at this moment; null: the token is not in force. */
export const ownerRights = ({ token, owner }: Found): Rights | null =>
  endOf(token) === null ? rightsOf(owner, token.ownerWay) : null;
