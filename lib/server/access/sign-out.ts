/** Signing out: the session ends in Redis, so its cookie is worth nothing wherever a copy of it may be. */
import { getBroker } from '../broker';
import { getHub } from '../hub';
import { addressOf } from './address';
import type { Visit } from './begin';
import { digestOf, readSessionCookie } from './cookies';
import { type ProviderSignOut, signOutAtProvider } from './oidc-sign-out';

export interface SignedOut {
  /** How many sessions ended: none when there was none, or it was over. */
  readonly ended: number;
  /** Where the browser goes on to sign out at the identity provider; null: nowhere. */
  readonly provider: ProviderSignOut | null;
}

/** @throws RedriveError REDIS_UNAVAILABLE | UNKNOWN_OUTCOME */
export async function signOut({ request, requestId }: Visit): Promise<SignedOut> {
  const nothing: SignedOut = { ended: 0, provider: null };
  const cookie = readSessionCookie(request.headers);
  if (cookie === null) return nothing;
  const digest = digestOf(cookie);
  const { sessions } = getBroker().access;
  const found = await sessions.look(digest, { touch: false });
  if (!found) return nothing;
  const { id, personId, personName, way } = found.session;
  const by = { actor: personName, actorId: personId, way, via: id, address: addressOf(request), requestId };
  const ended = await sessions.end({ digest }, by);
  // What other tabs of this browser still show goes on no longer.
  if (ended) getHub().rightsChanged();
  const provider = way === 'oidc' ? await signOutAtProvider(request, personId) : null;
  return { ended: ended ? 1 : 0, provider };
}
