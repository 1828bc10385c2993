/** The identity provider, as openid-client knows it: found by its issuer, remembered for an hour, asked with a deadline. */
import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  clockTolerance,
  discovery,
  enableNonRepudiationChecks,
  None,
} from 'openid-client';
import { RedriveError } from '@/lib/contract/errors';
import { readEnv } from '../env';
import { log } from '../log';
import { singleton } from '../singleton';
import { secretOf } from './secret-file';

const CALL_DEADLINE_SECONDS = 5;
const CLOCK_TOLERANCE_SECONDS = 5;
const FRESH_MS = 3_600_000;

interface Found {
  /** Of which settings: others are another provider. */
  settings: string;
  at: number;
  configuration: Configuration;
}
const holder = singleton('oidc-provider', () => ({
  found: null as Found | null,
  looking: null as { settings: string; promise: Promise<Configuration> } | null,
}));

/**
 * A provider that is down keeps nobody from signing in another way, and is asked again by whoever comes next.
 * @throws RedriveError PROVIDER_UNAVAILABLE
 */
export async function provider(): Promise<Configuration> {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_AUTH } = readEnv(process.env);
  const settings = [OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_AUTH].join(' ');
  const own = holder();
  const known = own.found?.settings === settings ? own.found : null;
  if (known && Date.now() - known.at < FRESH_MS) return known.configuration;
  if (own.looking?.settings !== settings) {
    const promise = look()
      .then((configuration) => {
        own.found = { settings, at: Date.now(), configuration };
        return configuration;
      })
      .finally(() => {
        own.looking = null;
      });
    own.looking = { settings, promise };
  }
  try {
    return await own.looking.promise;
  } catch (cause) {
    // What was known an hour ago is most likely still so.
    if (known) return known.configuration;
    throw unavailable(cause);
  }
}

export function unavailable(cause: unknown): RedriveError {
  log().warn({ reason: shortReason(cause) }, 'the identity provider cannot be used');
  return new RedriveError(
    'PROVIDER_UNAVAILABLE',
    'The identity provider does not answer as it should. Try again in a moment, or sign in another way.',
    { cause, retryAfterMs: 5_000 },
  );
}

/** For the log: names and codes of what went wrong, never a token or a body. */
export function shortReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  const inner = error.cause instanceof Error ? `: ${error.cause.message.slice(0, 200)}` : '';
  return `${error.message.slice(0, 200)}${code}${inner}`;
}

/** Id tokens are checked with the provider's published keys besides coming straight from it. */
async function look(): Promise<Configuration> {
  const { OIDC_ISSUER = '', OIDC_CLIENT_ID = '', OIDC_CLIENT_AUTH } = readEnv(process.env);
  const secret = secretOf('OIDC_CLIENT_SECRET');
  const proof =
    secret === null
      ? None()
      : OIDC_CLIENT_AUTH === 'post'
        ? ClientSecretPost(secret)
        : ClientSecretBasic(secret);
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
