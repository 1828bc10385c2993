/** Sign-out: the session ends in Redis, so copies of its cookie stop working. */

import type { SignInRequest } from '../authentication/create-session';
import { type ProviderSignOut, signOutAtProvider } from '../authentication/identity-provider/oidc-sign-out';
import { digestOf, readSessionCookie } from '../authentication/session-cookie';
import { getBroker } from '../console-broker';
import { addressOf } from '../http/client-network';
import { getLiveHub } from '../live/live-hub';

/**
 * @returns how many sessions ended, and where the browser continues to sign out at the identity provider; null: nowhere
 * @throws RedriveError REDIS_UNAVAILABLE | UNKNOWN_OUTCOME
 */
export async function signOut({
  request,
  requestId,
}: SignInRequest): Promise<{ ended: number; provider: ProviderSignOut | null }> {
  const nothing = { ended: 0, provider: null };
  const cookie = readSessionCookie(request.headers);
  if (cookie === null) return nothing;
  const digest = digestOf(cookie);
  const { sessions } = getBroker().access;
  const found = await sessions.look(digest, { touch: false });
  if (!found) return nothing;
  const { id, userId, userName, method } = found.session;
  const by = { actor: userName, actorId: userId, method, via: id, address: addressOf(request), requestId };
  const ended = await sessions.end({ digest }, by);
  // Streams of other tabs end, too.
  if (ended) getLiveHub().rightsChanged();
  const provider = method === 'oidc' ? await signOutAtProvider(request, userId) : null;
  return { ended: ended ? 1 : 0, provider };
}
