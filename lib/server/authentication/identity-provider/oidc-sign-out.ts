/**
 * Sign-out at the identity provider as well, so that the next user of this browser must authenticate (OpenID Connect RP-Initiated Logout).
 * Redrive stores no id token for it: the provider gets the client and the user, and may ask for confirmation.
 */
import { buildEndSessionUrl, randomState } from 'openid-client';
import { log } from '@/lib/server/console-log';
import { readEnv } from '@/lib/server/environment';
import { roundTripCookie } from '../session-cookie';
import { hasSignInMethod, publicAddress } from '../sign-in-methods';
import { identityProvider } from './oidc-client';
import { shortReason } from './oidc-reasons';
import { subjectOf } from './oidc-user';

const SIGNED_OUT_PATH = '/sign-in/oidc/signed-out';
/** The state of a sign-out: it gives no access. */
export const signOutCookie = roundTripCookie('redrive-out', 600);

export interface ProviderSignOut {
  /** Where the browser continues. */
  readonly location: string;
  readonly cookie: string;
}

/** Null: turned off, not offered by the provider, or no answer. Never rejects: the user is signed out here already. */
export async function signOutAtProvider(request: Request, userId: string): Promise<ProviderSignOut | null> {
  if (!hasSignInMethod('oidc') || readEnv(process.env).OIDC_SIGN_OUT !== 'provider') return null;
  const subject = subjectOf(userId);
  if (subject === null) return null;
  try {
    const configuration = await identityProvider();
    if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
    const state = randomState();
    const location = buildEndSessionUrl(configuration, {
      logout_hint: subject,
      post_logout_redirect_uri: `${publicAddress(request)}${SIGNED_OUT_PATH}`,
      state,
    });
    return { location: location.href, cookie: signOutCookie.write(state) };
  } catch (error) {
    log().warn({ reason: shortReason(error) }, 'sign-out at the identity provider failed');
    return null;
  }
}

/** Whether this browser came back from a sign-out that this console started. */
export function isOwnSignOut(request: Request): boolean {
  const state = new URL(request.url).searchParams.get('state');
  return state !== null && state !== '' && signOutCookie.read(request.headers) === state;
}
