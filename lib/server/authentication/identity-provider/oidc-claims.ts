/** Exchanges the code that a browser brought back for the provider's claims about the user, or a sign-in problem. */
import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  type Configuration,
  fetchUserInfo,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import type { SignInProblem } from '@/lib/contract/access/access-limits';
import { RedriveError } from '@/lib/contract/redrive-error';
import { readEnv } from '@/lib/server/environment';
import { shortReason } from './oidc-reasons';
import type { Transaction } from './oidc-transaction';
import { claimAt, type OidcUser } from './oidc-user';

/** Tolerance of a re-authentication's time: two clocks, and a provider that counts whole seconds. */
const CLOCK_SLACK_MS = 6_000;
/** No session at the provider is that old: it asks for the claim, and how old it may be is judged below. */
export const AUTH_AGE_MAX_SECONDS = 31_536_000;

/** The provider's claims about a user. */
export interface ProviderClaims {
  readonly claims: Record<string, unknown>;
  /** When the user authenticated there, by the signed token alone; null: not stated. */
  readonly authenticatedAt: number | null;
  /** Why the userinfo endpoint said nothing; null: it did, or had no question. */
  readonly silence: string | null;
}

/** Ends a sign-in with a sentence for the user. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';
  /** For the log and the audit log: what came, and what was wanted. */
  readonly why: string;
  /** Null: the provider did not say, or the console did not read it. */
  readonly who: OidcUser | null;
  constructor(
    readonly problem: SignInProblem,
    options: { cause?: unknown; why?: string; who?: OidcUser } = {},
  ) {
    super(problem, options);
    this.who = options.who ?? null;
    this.why = options.why ?? (options.cause === undefined ? problem : shortReason(options.cause));
  }
}

/**
 * The library checks state, issuer, signature, audience, times and nonce; PKCE binds the code to this browser.
 * @throws SignInRefused
 */
export async function claimsOf(
  configuration: Configuration,
  currentUrl: URL,
  transaction: Transaction,
): Promise<ProviderClaims> {
  try {
    const tokens = await authorizationCodeGrant(configuration, currentUrl, {
      expectedState: transaction.state,
      expectedNonce: transaction.nonce,
      pkceCodeVerifier: transaction.verifier,
      idTokenExpected: true,
    });
    const claims: Record<string, unknown> = { ...tokens.claims() };
    const authenticatedAt = timeIn(claims.auth_time);
    if (transaction.session !== null) refuseOldProof(authenticatedAt, transaction);
    return { ...(await withUserInfo(configuration, tokens.access_token, claims)), authenticatedAt };
  } catch (error) {
    throw refusalOf(error);
  }
}

const timeIn = (claim: unknown): number | null =>
  typeof claim === 'number' && Number.isFinite(claim) && claim > 0 ? Math.floor(claim * 1_000) : null;

/** `prompt=login` asks the provider to ask the user. What it says in the signed token is the proof, unless OIDC_AUTH_TIME does without. */
function refuseOldProof(authenticatedAt: number | null, { startedAt }: Transaction): void {
  const { OIDC_AUTH_TIME } = readEnv(process.env);
  if (OIDC_AUTH_TIME === 'ignored') return;
  if (authenticatedAt === null) {
    if (OIDC_AUTH_TIME === 'optional') return;
    throw new SignInRefused('no-auth-time', {
      why: 'the ID token has no auth_time, so it does not say when the user authenticated, and OIDC_AUTH_TIME=required wants that',
    });
  }
  if (authenticatedAt >= startedAt - CLOCK_SLACK_MS) return;
  const seconds = Math.round((startedAt - authenticatedAt) / 1_000);
  throw new SignInRefused('not-asked', {
    why: `auth_time is ${seconds} s before the re-authentication began: the provider did not ask again in spite of prompt=login and max_age=0`,
  });
}

/** Many providers leave groups out of the id token and return them from the user info endpoint. It may fail where it is not needed. */
async function withUserInfo(
  configuration: Configuration,
  accessToken: string,
  claims: Record<string, unknown>,
): Promise<Pick<ProviderClaims, 'claims' | 'silence'>> {
  const { OIDC_GROUPS_CLAIM } = readEnv(process.env);
  const hasGroups = claimAt(claims, OIDC_GROUPS_CLAIM) !== undefined;
  if (hasGroups && Object.hasOwn(claims, 'name')) return { claims, silence: null };
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return { claims, silence: null };
  try {
    const userInfo = await fetchUserInfo(configuration, accessToken, String(claims.sub));
    // Claims of the signed token win.
    return { claims: { ...userInfo, ...claims }, silence: null };
  } catch (error) {
    // What it says of another user is an attack. Groups that are late for a moment are no groups taken away.
    if (isOfAnotherUser(error) || (!hasGroups && refusalOf(error).problem === 'unavailable')) throw error;
    return { claims, silence: shortReason(error) };
  }
}

const isOfAnotherUser = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';

/** Errors of the provider itself, not of the user. */
const PROVIDER_ERRORS: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable']);

function refusalOf(error: unknown): SignInRefused {
  if (error instanceof SignInRefused) return error;
  return new SignInRefused(problemOf(error), { cause: error });
}

function problemOf(error: unknown): SignInProblem {
  if (error instanceof RedriveError) return 'unavailable';
  if (error instanceof AuthorizationResponseError)
    return PROVIDER_ERRORS.has(error.error) ? 'unavailable' : 'denied';
  if (error instanceof ResponseBodyError || error instanceof WWWAuthenticateChallengeError)
    return error.status >= 500 ? 'unavailable' : 'failed';
  return isNoAnswer(error) ? 'unavailable' : 'failed';
}

/** The network's failures come as TypeErrors of fetch, the deadline's with a code of the library's. */
function isNoAnswer(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  return code === 'OAUTH_TIMEOUT' || (error instanceof TypeError && error.message === 'fetch failed');
}
