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
import type { SignInProblem } from '@/lib/contract/access/access-limits';
import { RedriveError } from '@/lib/contract/redrive-error';
import { getBroker } from '@/lib/server/console-broker';
import { log } from '@/lib/server/console-log';
import { readEnv } from '@/lib/server/environment';
import { addressOf } from '@/lib/server/http/client-network';
import { singleton } from '@/lib/server/singleton';
import {
  createSession,
  recordSignInRefusal,
  renewSession,
  type SignInRequest,
  signInActor,
} from '../create-session';
import { nextPath } from '../next-path';
import { digestOf, readSessionCookie } from '../session-cookie';
import { takeOidcAttempt } from '../sign-in-attempts';
import { hasSignInMethod, publicAddress } from '../sign-in-methods';
import { takeSignInQuota } from '../sign-in-quota';
import { AUTH_AGE_MAX_SECONDS, claimsOf, type ProviderClaims, SignInRefused } from './oidc-claims';
import { identityProvider } from './oidc-client';
import { whyNoRole } from './oidc-reasons';
import { readTransaction, type Transaction, transactionCookie } from './oidc-transaction';
import { claimAt, grantsOfGroups, type OidcUser, userFromClaims } from './oidc-user';

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
  let isGuess = false;
  try {
    return { next: nextPath(transaction.next), cookie: await enter(visit, transaction) };
  } catch (error) {
    if (error instanceof SignInRefused) {
      isGuess = error.problem === 'failed';
      await noteRefusal(visit, error);
    }
    throw error;
  } finally {
    // Who was cancelled, not answered, or has no role did not guess.
    if (!isGuess) await attempt.undo();
  }
}

async function enter(visit: SignInRequest, transaction: Transaction): Promise<string> {
  const currentUrl = new URL(`${publicAddress(visit.request)}${CALLBACK_PATH}`);
  currentUrl.search = new URL(visit.request.url).search;
  const configuration = await identityProvider().catch((cause: unknown) => {
    throw new SignInRefused('unavailable', { cause });
  });
  const found = await claimsOf(configuration, currentUrl, transaction);
  const person = userFromClaims(found.claims, readEnv(process.env).OIDC_GROUPS_CLAIM);
  if (!person)
    throw new SignInRefused('unusable', {
      why: 'the subject (sub) is not a text of 1 to 180 visible ASCII characters',
    });
  return transaction.session === null
    ? signIn(visit, person, found)
    : reauthenticate(visit, person, transaction.session);
}

/** Refusals that the audit log records. A cancelled sign-in, or a failure of the provider, is no attempt. */
const RECORDED: Partial<Record<SignInProblem, 'SIGN_IN_FAILED' | 'FORBIDDEN'>> = {
  failed: 'SIGN_IN_FAILED',
  unusable: 'SIGN_IN_FAILED',
  'no-auth-time': 'SIGN_IN_FAILED',
  'not-asked': 'SIGN_IN_FAILED',
  'other-user': 'SIGN_IN_FAILED',
  'no-role': 'FORBIDDEN',
  disabled: 'FORBIDDEN',
};

async function noteRefusal(visit: SignInRequest, { problem, why, who }: SignInRefused): Promise<void> {
  log().warn(
    { problem, reason: why, ...(who ? { by: who.id } : {}), requestId: visit.requestId },
    'a sign-in at the identity provider failed',
  );
  const code = RECORDED[problem];
  if (code) await recordSignInRefusal(visit, { code, who: who && known(who), why });
}

const known = (person: OidcUser) => ({ id: person.id, name: person.name, method: 'oidc' as const });

const warned = singleton('oidc-auth-time-warning', () => new Set<string>());
/** Once for each provider: before the first work that needs a proof is refused. */
function warnOfNoAuthTime(): void {
  const { OIDC_ISSUER = '', OIDC_AUTH_TIME } = readEnv(process.env);
  if (OIDC_AUTH_TIME !== 'required' || warned().has(OIDC_ISSUER)) return;
  warned().clear();
  warned().add(OIDC_ISSUER);
  log().warn(
    'The identity provider sends no auth_time, although max_age asks for it. Work that needs a recent authentication will be refused until it does, or until OIDC_AUTH_TIME=optional; docs/sign-in.md says what that costs.',
  );
}

/** A user without grants, from groups or from this console, cannot sign in. */
async function signIn(
  visit: SignInRequest,
  person: OidcUser,
  { claims, authenticatedAt, silence }: ProviderClaims,
): Promise<string> {
  const stored = await getBroker().access.users.get(person.id);
  if (stored.disabled !== null)
    throw new SignInRefused('disabled', { who: person, why: 'an administrator disabled the user' });
  if (stored.grants === null && grantsOfGroups(person.groups).length === 0) {
    const claim = claimAt(claims, readEnv(process.env).OIDC_GROUPS_CLAIM);
    const unasked = silence === null ? '' : `; the userinfo endpoint refused: ${silence}`;
    throw new SignInRefused('no-role', {
      who: person,
      why: `${whyNoRole(claims, claim, person.groups)}${unasked}`,
    });
  }
  if (authenticatedAt === null) warnOfNoAuthTime();
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
  if (found.session.userId !== person.id) throw new SignInRefused('other-user', { who: person });
  await takeSignInQuota(person.id);
  const by = { ...signInActor(visit, known(person)), via: found.session.id };
  const renewed = await renewSession(digest, by).catch((error: unknown) => {
    throw isOver(error) ? new SignInRefused('stale') : error;
  });
  return renewed.cookie;
}

const isOver = (error: unknown): boolean => error instanceof RedriveError && error.code === 'UNAUTHENTICATED';
