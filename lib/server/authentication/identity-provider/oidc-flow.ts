/**
 * Sign-in at an identity provider: out with an encrypted transaction in a cookie, back with a code that only fits to it. A
 * re-authentication takes the same steps, but the provider asks for the password again, and the user must be the same.
 */
import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { RedriveError } from '@/lib/contract/redrive-error';
import { takeSignInQuota } from '@/lib/server/authorization/change-quota';
import { getBroker } from '@/lib/server/console-broker';
import { log } from '@/lib/server/console-log';
import { readEnv } from '@/lib/server/environment';
import { addressOf } from '@/lib/server/http/client-network';
import { createSession, recordSignInRefusal, type SignInRequest, signInActor } from '../create-session';
import { renewSession } from '../manage-sessions';
import { nextPath } from '../next-path';
import { digestOf, readSessionCookie } from '../session-cookie';
import { takeOidcAttempt } from '../sign-in-attempts';
import { hasSignInMethod, publicAddress } from '../sign-in-methods';
import { AUTH_AGE_MAX_SECONDS, claimsOf, type ProviderClaims, SignInRefused } from './oidc-claims';
import { identityProvider, shortReason } from './oidc-client';
import { readTransaction, type Transaction, transactionCookie } from './oidc-transaction';
import { grantsOfGroups, type OidcUser, userFromClaims } from './oidc-user';

const CALLBACK_PATH = '/sign-in/oidc/callback';

/** @throws RedriveError NOT_FOUND | PROVIDER_UNAVAILABLE */
export async function startOidc(
  request: Request,
  options: { next: string | null; isReauthentication: boolean },
): Promise<{ location: string; cookie: string }> {
  if (!hasSignInMethod('oidc')) throw new RedriveError('NOT_FOUND', 'This console has no identity provider.');
  const configuration = await identityProvider();
  const own = readSessionCookie(request.headers);
  const transaction: Transaction = {
    state: randomState(),
    nonce: randomNonce(),
    verifier: randomPKCECodeVerifier(),
    next: nextPath(options.next),
    startedAt: Date.now(),
    // Without a session it becomes a sign-in.
    session: options.isReauthentication && own !== null ? digestOf(own) : null,
  };
  const location = buildAuthorizationUrl(configuration, {
    response_type: 'code',
    redirect_uri: `${publicAddress(request)}${CALLBACK_PATH}`,
    scope: readEnv(process.env).OIDC_SCOPES,
    state: transaction.state,
    nonce: transaction.nonce,
    code_challenge: await calculatePKCECodeChallenge(transaction.verifier),
    code_challenge_method: 'S256',
    // With max_age the provider states when the user authenticated, so an existing session there does not count as a re-authentication.
    ...(transaction.session === null
      ? { max_age: String(AUTH_AGE_MAX_SECONDS) }
      : { prompt: 'login', max_age: '0' }),
  });
  return { location: location.href, cookie: transactionCookie(transaction) };
}

/**
 * @returns where to continue, and the cookie of the new or renewed session
 * @throws SignInRefused, and RedriveError for problems of the console
 */
export async function finishOidc(visit: SignInRequest): Promise<{ next: string; cookie: string }> {
  const { request } = visit;
  if (!hasSignInMethod('oidc')) throw new RedriveError('NOT_FOUND', 'This console has no identity provider.');
  const transaction = readTransaction(request.headers);
  if (!transaction) throw new SignInRefused('stale');
  const attempt = await takeOidcAttempt(addressOf(request));
  const { claims, authenticatedAt } = await askProvider(visit, transaction);
  const person = userFromClaims(claims, readEnv(process.env).OIDC_GROUPS_CLAIM);
  if (!person) throw new SignInRefused('failed');
  const cookie = await (transaction.session === null
    ? signIn(visit, person, authenticatedAt)
    : reauthenticate(visit, person, transaction.session));
  await attempt.succeeded();
  return { next: nextPath(transaction.next), cookie };
}

async function askProvider(visit: SignInRequest, transaction: Transaction): Promise<ProviderClaims> {
  const currentUrl = new URL(`${publicAddress(visit.request)}${CALLBACK_PATH}`);
  currentUrl.search = new URL(visit.request.url).search;
  try {
    const configuration = await identityProvider().catch((cause: unknown) => {
      throw new SignInRefused('unavailable', { cause });
    });
    return await claimsOf(configuration, currentUrl, transaction);
  } catch (error) {
    if (error instanceof SignInRefused) {
      log().warn(
        { problem: error.problem, reason: shortReason(error.cause), requestId: visit.requestId },
        'a sign-in at the identity provider failed',
      );
      // A cancelled sign-in, or a failure of the provider, is no attempt.
      if (error.problem === 'failed') await recordSignInRefusal(visit, { code: 'SIGN_IN_FAILED', who: null });
    }
    throw error;
  }
}

const known = (person: OidcUser) => ({ id: person.id, name: person.name, method: 'oidc' as const });

/** A user without grants, from groups or from this console, cannot sign in. */
async function signIn(
  visit: SignInRequest,
  person: OidcUser,
  authenticatedAt: ProviderClaims['authenticatedAt'],
): Promise<string> {
  const stored = await getBroker().access.users.get(person.id);
  const refusal =
    stored.disabled !== null
      ? 'disabled'
      : stored.grants === null && grantsOfGroups(person.groups).length === 0
        ? 'no-role'
        : null;
  if (refusal !== null) {
    await recordSignInRefusal(visit, { code: 'FORBIDDEN', who: known(person) });
    throw new SignInRefused(refusal);
  }
  const { cookie } = await createSession(visit, {
    ...known(person),
    groups: person.groups,
    stamp: null,
    authenticatedAt,
  });
  return cookie;
}

async function reauthenticate(visit: SignInRequest, person: OidcUser, digest: string): Promise<string> {
  const { sessions } = getBroker().access;
  const found = await sessions.look(digest);
  if (!found) throw new SignInRefused('stale');
  if (found.session.userId !== person.id) {
    await recordSignInRefusal(visit, { code: 'SIGN_IN_FAILED', who: known(person) });
    throw new SignInRefused('other-user');
  }
  await takeSignInQuota(person.id);
  const by = { ...signInActor(visit, known(person)), via: found.session.id };
  const renewed = await renewSession(digest, by).catch((error: unknown) => {
    throw isOver(error) ? new SignInRefused('stale') : error;
  });
  return renewed.cookie;
}

const isOver = (error: unknown): boolean => error instanceof RedriveError && error.code === 'UNAUTHENTICATED';
