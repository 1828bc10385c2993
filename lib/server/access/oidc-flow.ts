/**
 * Signing in at an identity provider: out with a sealed transaction in a cookie, back with a code that only fits to it. A proof goes the
 * same way, but the provider asks for the password again, and it must be the same person.
 */
import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { RedriveError } from '@/lib/contract/errors';
import { getBroker } from '../broker';
import { readEnv } from '../env';
import { log } from '../log';
import { addressOf } from './address';
import { takeReturn } from './attempts';
import { beginSession, noteRefusal, type Visit, visitor } from './begin';
import { takeSignInShare } from './change-share';
import { digestOf, readSessionCookie } from './cookies';
import { nextPath } from './next-path';
import { AUTH_AGE_MAX_SECONDS, claimsOf, SignInRefused, type Told } from './oidc-claims';
import { provider, shortReason } from './oidc-client';
import { grantsOfGroups } from './oidc-grants';
import { type OidcPerson, personIn } from './oidc-person';
import { readTransaction, type Transaction, transactionCookie } from './oidc-transaction';
import { renewSession } from './sessions';
import { hasWay, publicOrigin } from './ways';

export const CALLBACK_PATH = '/sign-in/oidc/callback';

/** @throws RedriveError NOT_FOUND | PROVIDER_UNAVAILABLE */
export async function startOidc(
  request: Request,
  asked: { next: string | null; proof: boolean },
): Promise<{ location: string; cookie: string }> {
  if (!hasWay('oidc')) throw new RedriveError('NOT_FOUND', 'This console has no identity provider.');
  const configuration = await provider();
  const own = readSessionCookie(request.headers);
  const transaction: Transaction = {
    state: randomState(),
    nonce: randomNonce(),
    verifier: randomPKCECodeVerifier(),
    next: nextPath(asked.next),
    startedAt: Date.now(),
    // Without a session there is nothing to prove: it becomes a sign-in.
    session: asked.proof && own !== null ? digestOf(own) : null,
  };
  const location = buildAuthorizationUrl(configuration, {
    response_type: 'code',
    redirect_uri: `${publicOrigin(request)}${CALLBACK_PATH}`,
    scope: readEnv(process.env).OIDC_SCOPES,
    state: transaction.state,
    nonce: transaction.nonce,
    code_challenge: await calculatePKCECodeChallenge(transaction.verifier),
    code_challenge_method: 'S256',
    // Asked for how long ago at most, a provider says when it was: a sign-in it asked nobody for is no proof.
    ...(transaction.session === null
      ? { max_age: String(AUTH_AGE_MAX_SECONDS) }
      : { prompt: 'login', max_age: '0' }),
  });
  return { location: location.href, cookie: transactionCookie(transaction) };
}

export interface OidcEnd {
  readonly next: string;
  /** Of the new session; a proof renews the one it is for. */
  readonly cookie: string;
}

/** @throws SignInRefused, and RedriveError for what is no fault of the person or the provider */
export async function finishOidc(visit: Visit): Promise<OidcEnd> {
  const { request } = visit;
  if (!hasWay('oidc')) throw new RedriveError('NOT_FOUND', 'This console has no identity provider.');
  const transaction = readTransaction(request.headers);
  if (!transaction) throw new SignInRefused('stale');
  const attempt = await takeReturn(addressOf(request));
  const { claims, authenticatedAt } = await askProvider(visit, transaction);
  const person = personIn(claims, readEnv(process.env).OIDC_GROUPS_CLAIM);
  if (!person) throw new SignInRefused('failed');
  const end = await (transaction.session === null
    ? enter(visit, person, authenticatedAt)
    : prove(visit, person, transaction.session));
  await attempt.succeeded();
  return { next: nextPath(transaction.next), cookie: end };
}

async function askProvider(visit: Visit, transaction: Transaction): Promise<Told> {
  const currentUrl = new URL(`${publicOrigin(visit.request)}${CALLBACK_PATH}`);
  currentUrl.search = new URL(visit.request.url).search;
  try {
    const configuration = await provider().catch((cause: unknown) => {
      throw new SignInRefused('unavailable', { cause });
    });
    return await claimsOf(configuration, currentUrl, transaction);
  } catch (error) {
    if (error instanceof SignInRefused) {
      log().warn(
        { problem: error.problem, reason: shortReason(error.cause), requestId: visit.requestId },
        'a sign-in at the identity provider failed',
      );
      // What somebody broke off, or the provider could not do, was no attempt to get in.
      if (error.problem === 'failed') await noteRefusal(visit, { code: 'SIGN_IN_FAILED', who: null });
    }
    throw error;
  }
}

const known = (person: OidcPerson) => ({ id: person.id, name: person.name, way: 'oidc' as const });

/** Rights may be given here to somebody whose groups have none; without either nobody comes in. */
async function enter(
  visit: Visit,
  person: OidcPerson,
  authenticatedAt: Told['authenticatedAt'],
): Promise<string> {
  const stored = await getBroker().access.people.get(person.id);
  const refusal =
    stored.disabled !== null
      ? 'disabled'
      : stored.grants === null && grantsOfGroups(person.groups).length === 0
        ? 'no-role'
        : null;
  if (refusal !== null) {
    await noteRefusal(visit, { code: 'FORBIDDEN', who: known(person) });
    throw new SignInRefused(refusal);
  }
  const { cookie } = await beginSession(visit, {
    ...known(person),
    groups: person.groups,
    stamp: null,
    authenticatedAt,
  });
  return cookie;
}

async function prove(visit: Visit, person: OidcPerson, digest: string): Promise<string> {
  const { sessions } = getBroker().access;
  const found = await sessions.look(digest);
  if (!found) throw new SignInRefused('stale');
  if (found.session.personId !== person.id) {
    await noteRefusal(visit, { code: 'SIGN_IN_FAILED', who: known(person) });
    throw new SignInRefused('other-person');
  }
  await takeSignInShare(person.id);
  const by = { ...visitor(visit, known(person)), via: found.session.id };
  const renewed = await renewSession(digest, by).catch((error: unknown) => {
    throw isOver(error) ? new SignInRefused('stale') : error;
  });
  return renewed.cookie;
}

const isOver = (error: unknown): boolean => error instanceof RedriveError && error.code === 'UNAUTHENTICATED';
