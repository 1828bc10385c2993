/** Why a sign-in at the identity provider was refused: what came and what was wanted, for the log and the audit log. Never a token or a body. */
import { ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client';
import { readEnv } from '@/lib/server/environment';

const NAMES_SHOWN = 10;
const NAME_MAX_CHARS = 60;
const DEPTH_MAX = 3;

/** What others named is cut, and shows no character that changes the text around it. */
const quoted = (name: string): string =>
  JSON.stringify(name.slice(0, NAME_MAX_CHARS)).replace(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`,
  );

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : '';
  return `${names.slice(0, NAMES_SHOWN).map(quoted).join(', ')}${more}`;
}

/** @param groups what was read from the claim */
export function whyNoRole(
  claims: Record<string, unknown>,
  claim: unknown,
  groups: readonly string[],
): string {
  const { OIDC_GRANTS, OIDC_GROUPS_CLAIM } = readEnv(process.env);
  const wanted = Object.keys(OIDC_GRANTS);
  const came =
    claim === undefined
      ? `no claim ${quoted(OIDC_GROUPS_CLAIM)} came, but the claims ${listed(Object.keys(claims))}`
      : groups.length > 0
        ? `the groups that came are ${listed(groups)}`
        : `the claim ${quoted(OIDC_GROUPS_CLAIM)} holds no names of groups`;
  return [`${came}; OIDC_GRANTS names ${listed(wanted)}`, ...hints(claims, claim, groups, wanted)].join('; ');
}

const plain = (group: string): string => group.replace(/^\/+/, '').toLowerCase();

function hints(
  claims: Record<string, unknown>,
  claim: unknown,
  groups: readonly string[],
  wanted: readonly string[],
): string[] {
  const found: string[] = [];
  for (const group of groups) {
    const near = wanted.find((name) => plain(name) === plain(group));
    if (near !== undefined && found.length < NAMES_SHOWN)
      found.push(
        `${quoted(group)} and ${quoted(near)} differ by a slash or by capitals: they must be the same`,
      );
  }
  if (groups.length === 1 && /[,;]/.test(groups[0] ?? ''))
    found.push('the claim is one text with several names: let the provider send a list');
  if (claim === undefined && (claims._claim_names !== undefined || claims.hasgroups !== undefined))
    found.push(
      'the provider left the groups out because there are too many (_claim_names, hasgroups): let it send those assigned to this client only',
    );
  const path = pathTo(claims, wanted, DEPTH_MAX);
  if (groups.length === 0 && path !== null) found.push(`a group stands in OIDC_GROUPS_CLAIM=${path}`);
  return found;
}

/** Where a list holds one of the names. */
function pathTo(claims: object, wanted: readonly string[], depth: number): string | null {
  for (const [name, value] of Object.entries(claims).slice(0, 100)) {
    if (!/^[\w:/.-]{1,60}$/.test(name) || typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) {
      if (value.some((one) => wanted.includes(one))) return name;
    } else if (depth > 1) {
      const inner = pathTo(value, wanted, depth - 1);
      if (inner !== null) return `${name}.${inner}`;
    }
  }
  return null;
}

/** Names and codes of what went wrong. */
export function shortReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  const inner = error.cause instanceof Error ? `: ${error.cause.message.slice(0, 200)}` : '';
  return `${providersWord(error)}${error.message.slice(0, 200)}${code}${inner}`;
}

/** What the provider refused, with the settings that are to blame. */
function providersWord(error: Error): string {
  const word = wordOf(error);
  if (word === null) return '';
  const blame: Readonly<Record<string, string>> = {
    invalid_client:
      'the provider does not accept OIDC_CLIENT_ID with OIDC_CLIENT_SECRET or OIDC_CLIENT_SECRET_FILE, sent as OIDC_CLIENT_AUTH says',
    unauthorized_client: 'the provider does not let OIDC_CLIENT_ID sign in by the authorization code flow',
    invalid_grant: 'the provider does not take the code: it was used, is too old, or PUBLIC_URL differs',
    invalid_scope: 'the provider does not know a scope of OIDC_SCOPES',
  };
  const said = Object.hasOwn(blame, word) ? `: ${blame[word]}` : '';
  return `${quoted(word).slice(1, -1)}${said}. `;
}

function wordOf(error: Error): string | null {
  if (error instanceof ResponseBodyError) return error.error;
  if (!(error instanceof WWWAuthenticateChallengeError)) return null;
  const [challenge] = error.cause;
  // The token endpoint's way to refuse a secret.
  return challenge?.parameters.error ?? (challenge?.scheme === 'basic' ? 'invalid_client' : null);
}
