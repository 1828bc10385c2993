/**
 * Tokens of people who come by the identity provider: whoever left the company cannot come back there, and so shows only by staying away.
 * Their tokens must not go on for ever.
 */
import type { Broker } from '@/lib/broker';

export const OWNER_AWAY_MAX_DAYS = 30;
const DAY_MS = 86_400_000;
type Found = NonNullable<Awaited<ReturnType<Broker['access']['tokens']['look']>>>;

/** Its owner was away for too long: it is not in force until they have signed in again. */
export const isAsleep = ({ token, owner, now }: Found): boolean =>
  token.ownerWay === 'oidc' && now - (owner.seen?.lastSeenAt ?? 0) > OWNER_AWAY_MAX_DAYS * DAY_MS;
