/** The identity provider: discovered by its issuer, cached for an hour, called with a deadline. */
import { LRUCache } from 'lru-cache';
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  clockTolerance,
  discovery,
  enableNonRepudiationChecks,
  None,
} from 'openid-client';
import { errorText } from '@/lib/contract/describe-error';
import { RedriveError } from '@/lib/contract/redrive-error';
import { log } from '@/lib/server/console-log';
import { readEnv } from '@/lib/server/environment';
import { secretOf } from '@/lib/server/secret-file';
import { singleton } from '@/lib/server/singleton';
import { shortReason } from './oidc-reasons';

const CALL_DEADLINE_SECONDS = 5;
const CLOCK_TOLERANCE_SECONDS = 5;
const FRESH_MS = 3_600_000;

/** By the settings it was discovered with. While the provider is down, its old metadata most likely stays valid. */
const providers = singleton(
  'oidc-provider',
  () =>
    new LRUCache<string, Configuration>({
      max: 1,
      ttl: FRESH_MS,
      fetchMethod: discover,
      noDeleteOnFetchRejection: true,
    }),
);

/**
 * While the provider is down, other sign-in methods work; the next request tries it again.
 * @throws RedriveError PROVIDER_UNAVAILABLE
 */
export async function identityProvider(): Promise<Configuration> {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_AUTH } = readEnv(process.env);
  const settings = [OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_AUTH].join(' ');
  try {
    return await providers().forceFetch(settings);
  } catch (cause) {
    const known = providers().peek(settings, { allowStale: true });
    if (known) return known;
    throw providerUnavailable(cause);
  }
}

function providerUnavailable(cause: unknown): RedriveError {
  log().warn({ reason: shortReason(cause) }, 'the identity provider cannot be used');
  return new RedriveError(
    'PROVIDER_UNAVAILABLE',
    'The identity provider is unavailable. Try again in a moment, or use another sign-in method.',
    { cause, retryAfterMs: 5_000 },
  );
}

/** The secret of now: it may be rotated while the provider's metadata stay cached. */
const proof: ClientAuth = (...call) => proofOf(currentSecret())(...call);

function proofOf(secret: string | null): ClientAuth {
  if (secret === null) return None();
  return readEnv(process.env).OIDC_CLIENT_AUTH === 'post'
    ? ClientSecretPost(secret)
    : ClientSecretBasic(secret);
}

function currentSecret(): string | null {
  try {
    return secretOf('OIDC_CLIENT_SECRET');
  } catch (cause) {
    throw new RedriveError('PROVIDER_UNAVAILABLE', errorText(cause), { cause });
  }
}

/** Id tokens are checked with the provider's published keys besides coming straight from it. */
async function discover(): Promise<Configuration> {
  const { OIDC_ISSUER = '', OIDC_CLIENT_ID = '' } = readEnv(process.env);
  const issuer = new URL(OIDC_ISSUER);
  // The environment lets http:// through for this machine only.
  const execute =
    issuer.protocol === 'http:'
      ? [allowInsecureRequests, enableNonRepudiationChecks]
      : [enableNonRepudiationChecks];
  return discovery(issuer, OIDC_CLIENT_ID, { [clockTolerance]: CLOCK_TOLERANCE_SECONDS }, proof, {
    timeout: CALL_DEADLINE_SECONDS,
    execute,
  });
}
