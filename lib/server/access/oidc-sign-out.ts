/**
 * Signing out at the identity provider as well, so that the next one at this browser does not come in without a question (OpenID Connect
 * RP-Initiated Logout). No id token is kept for it: the provider is told which client asks and whose session is meant, and may ask the
 * person whether they mean it.
 */
import { buildEndSessionUrl, randomState } from 'openid-client';
import { readEnv } from '../env';
import { log } from '../log';
import { cookie, cookiesNamed } from './cookies';
import { provider, shortReason } from './oidc-client';
import { subjectOf } from './oidc-person';
import { hasWay, isTls, publicOrigin } from './ways';

export const SIGNED_OUT_PATH = '/sign-in/oidc/signed-out';
const STATE_MAX_SECONDS = 600;
/** Lax: the way back begins at another site. It opens nothing. */
const OPTIONS = { path: '/', sameSite: 'Lax' } as const;
const cookieName = (): string => (isTls() ? '__Host-redrive-out' : 'redrive-out');

export interface ProviderSignOut {
  /** Where the browser goes on. */
  readonly location: string;
  readonly cookie: string;
}

/** Null: it is turned off, the provider has no such address, or does not answer. Never rejects: here they are signed out already. */
export async function signOutAtProvider(request: Request, personId: string): Promise<ProviderSignOut | null> {
  if (!hasWay('oidc') || readEnv(process.env).OIDC_SIGN_OUT !== 'provider') return null;
  const subject = subjectOf(personId);
  if (subject === null) return null;
  try {
    const configuration = await provider();
    if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
    const state = randomState();
    const location = buildEndSessionUrl(configuration, {
      logout_hint: subject,
      post_logout_redirect_uri: `${publicOrigin(request)}${SIGNED_OUT_PATH}`,
      state,
    });
    return {
      location: location.href,
      cookie: cookie(cookieName(), state, { ...OPTIONS, maxAgeSeconds: STATE_MAX_SECONDS }),
    };
  } catch (error) {
    log().warn({ reason: shortReason(error) }, 'nobody can be signed out at the identity provider just now');
    return null;
  }
}

/** Whether this browser was sent there by us: only then it is told that the provider signed it out. */
export function isOwnSignOut(request: Request): boolean {
  const found = cookiesNamed(request.headers, cookieName());
  const state = new URL(request.url).searchParams.get('state');
  return found.length === 1 && state !== null && state !== '' && found[0] === state;
}

export const clearedSignOutCookie = (): string => cookie(cookieName(), '', { ...OPTIONS, maxAgeSeconds: 0 });
