/** Exchanges the code that a browser brought back for the provider's claims about the user, or a sign-in problem. */
import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  type Configuration,
  fetchUserInfo,
  ResponseBodyError,
} from 'openid-client';
import type { SignInProblem } from '@/lib/contract/access/access-limits';
import { RedriveError } from '@/lib/contract/redrive-error';
import { readEnv } from '@/lib/server/environment';
import type { Transaction } from './oidc-transaction';

/** Tolerance of a re-authentication's time: two clocks, and a provider that counts whole seconds. */
const CLOCK_SLACK_MS = 6_000;
/** No session at the provider is that old: the claim must be there, and how old it may be is judged below. */
export const AUTH_AGE_MAX_SECONDS = 31_536_000;

/** The provider's claims about a user. */
export interface ProviderClaims {
  readonly claims: Record<string, unknown>;
  /** When the user authenticated there, by the signed token alone; null: not stated. */
  readonly authenticatedAt: number | null;
}

/** Ends a sign-in with a sentence for the user. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';
  constructor(
    readonly problem: SignInProblem,
    options: { cause?: unknown } = {},
  ) {
    super(problem, options);
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
  const isReauthentication = transaction.session !== null;
  try {
    const tokens = await authorizationCodeGrant(configuration, currentUrl, {
      expectedState: transaction.state,
      expectedNonce: transaction.nonce,
      pkceCodeVerifier: transaction.verifier,
      idTokenExpected: true,
      ...(isReauthentication ? { maxAge: AUTH_AGE_MAX_SECONDS } : {}),
    });
    const claims: Record<string, unknown> = { ...tokens.claims() };
    const authenticatedAt = timeIn(claims.auth_time);
    if (
      isReauthentication &&
      (authenticatedAt === null || authenticatedAt < transaction.startedAt - CLOCK_SLACK_MS)
    )
      throw new SignInRefused('failed');
    return {
      claims: await withUserInfo(configuration, tokens.access_token, claims),
      authenticatedAt,
    };
  } catch (error) {
    throw refusalOf(error);
  }
}

const timeIn = (claim: unknown): number | null =>
  typeof claim === 'number' && Number.isFinite(claim) && claim > 0 ? Math.floor(claim * 1_000) : null;

/** Many providers leave groups out of the id token and return them from the user info endpoint. */
async function withUserInfo(
  configuration: Configuration,
  accessToken: string,
  claims: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { OIDC_GROUPS_CLAIM } = readEnv(process.env);
  if (Object.hasOwn(claims, OIDC_GROUPS_CLAIM) && Object.hasOwn(claims, 'name')) return claims;
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
  const userInfo = await fetchUserInfo(configuration, accessToken, String(claims.sub));
  // Claims of the signed token win.
  return { ...userInfo, ...claims };
}

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
  if (error instanceof ResponseBodyError) return error.status >= 500 ? 'unavailable' : 'failed';
  return isNoAnswer(error) ? 'unavailable' : 'failed';
}

/** The network's failures come as TypeErrors of fetch, the deadline's with a code of the library's. */
function isNoAnswer(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  return code === 'OAUTH_TIMEOUT' || (error instanceof TypeError && error.message === 'fetch failed');
}
