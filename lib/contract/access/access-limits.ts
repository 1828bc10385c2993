/** Sign-in methods, their refusals, and limits of passwords and tokens. */

/** `none`: AUTH=none, on this machine only; `link`: the one-time link that the console printed. */
export const SIGN_IN_METHODS = ['none', 'link', 'local', 'oidc', 'token'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

export const PASSWORD_MIN_CHARS = 15;
export const PASSWORD_MAX_CHARS = 256;

/**
 * Why a sign-in at the identity provider ended without a session: `/sign-in?problem=<name>`. Texts of the provider are never shown.
 */
export const SIGN_IN_PROBLEMS = {
  denied: 'The identity provider refused the sign-in. Try again, or ask its administrator.',
  stale: 'This sign-in took too long, or was started in another window. Start again.',
  failed:
    'The answer of the identity provider does not match the request. You are not signed in. Start again.',
  unusable: 'The identity provider names you in a way that this console cannot use. Ask its administrator.',
  'no-auth-time':
    'The identity provider does not say when you entered your password, so it did not confirm your identity. Nothing was changed. Ask an administrator of this console.',
  'not-asked':
    'The identity provider did not ask for your password again, so it did not confirm your identity. Nothing was changed. Sign out there, then try again.',
  unavailable: 'The identity provider does not answer. Try again in a moment, or use another sign-in method.',
  'no-role':
    'None of your groups has a role here. Ask an administrator of this console: its log names the groups that came.',
  disabled: 'Your access to this console was disabled. Ask an administrator.',
  'other-user': 'You confirmed another identity than the one signed in here. Nothing was changed.',
  'too-many': 'Too many attempts from this address. Wait a while, then try again.',
  off: 'This console has no identity provider. Use another sign-in method.',
  'console-unavailable':
    'The console cannot reach its Redis, so sign-in is not possible. Try again in a moment.',
} as const;
export type SignInProblem = keyof typeof SIGN_IN_PROBLEMS;

/** Why a token is not in force before it expires. */
export const TOKEN_END_REASONS = ['owner-removed', 'password-changed'] as const;
export const TOKEN_PREFIX = 'rdt_';
export const TOKEN_MAX_DAYS = 365;

/** How hashes of passwords are made: argon2id with the first of OWASP's choices. */
export const PASSWORD_HASH = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const;

export const USER_NAME_DEFAULT = 'local operator';
export const USER_NAME_MAX_CHARS = 60;
