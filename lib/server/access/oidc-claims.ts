/** From the code a browser brought back to what the provider says of its person; and what went wrong, in words of ours. */
import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  type Configuration,
  fetchUserInfo,
  ResponseBodyError,
} from 'openid-client';
import type { SignInProblem } from '@/lib/contract/access';
import { RedriveError } from '@/lib/contract/errors';
import { readEnv } from '../env';
import type { Transaction } from './oidc-transaction';

/** A proof is of this moment, by the provider's clock and ours; and a provider counts in whole seconds. */
const PROOF_SLACK_MS = 6_000;
/** No session at the provider is that old: the claim must be there, and how old it may be is judged below. */
export const AUTH_AGE_MAX_SECONDS = 31_536_000;

/** What the provider says of somebody. */
export interface Told {
  readonly claims: Record<string, unknown>;
  /** When it last asked them who they are, by the signed token alone; null: it does not say. */
  readonly authenticatedAt: number | null;
}

/** Ends a sign-in with a sentence for the person. */
export class SignInRefused extends Error {
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
): Promise<Told> {
  const isProof = transaction.session !== null;
  try {
    const tokens = await authorizationCodeGrant(configuration, currentUrl, {
      expectedState: transaction.state,
      expectedNonce: transaction.nonce,
      pkceCodeVerifier: transaction.verifier,
      idTokenExpected: true,
      ...(isProof ? { maxAge: AUTH_AGE_MAX_SECONDS } : {}),
    });
    const claims: Record<string, unknown> = { ...tokens.claims() };
    const authenticatedAt = timeIn(claims.auth_time);
    if (isProof && (authenticatedAt === null || authenticatedAt < transaction.startedAt - PROOF_SLACK_MS))
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

/** Many providers keep groups out of the id token and tell them when asked. */
async function withUserInfo(
  configuration: Configuration,
  accessToken: string,
  claims: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { OIDC_GROUPS_CLAIM } = readEnv(process.env);
  if (Object.hasOwn(claims, OIDC_GROUPS_CLAIM) && Object.hasOwn(claims, 'name')) return claims;
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
  const told = await fetchUserInfo(configuration, accessToken, String(claims.sub));
  // The signed token's word counts before what was told beside it.
  return { ...told, ...claims };
}

/** What a provider answers when it, and not the person, is the reason. */
const ITS_OWN_FAULT: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable']);

function refusalOf(error: unknown): SignInRefused {
  if (error instanceof SignInRefused) return error;
  return new SignInRefused(problemOf(error), { cause: error });
}

function problemOf(error: unknown): SignInProblem {
  if (error instanceof RedriveError) return 'unavailable';
  if (error instanceof AuthorizationResponseError)
    return ITS_OWN_FAULT.has(error.error) ? 'unavailable' : 'denied';
  if (error instanceof ResponseBodyError) return error.status >= 500 ? 'unavailable' : 'failed';
  return isNoAnswer(error) ? 'unavailable' : 'failed';
}

/** The network's failures come as TypeErrors of fetch, the deadline's with a code of the library's. */
function isNoAnswer(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  return code === 'OAUTH_TIMEOUT' || (error instanceof TypeError && error.message === 'fetch failed');
}
