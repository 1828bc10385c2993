/**
 * The variables of sign-in. Each is checked alone (`authenticationShape`), and all together (`authenticationProblems`): a console open to
 * everyone results from settings that are valid one by one.
 */
import { z } from 'zod';
import type { SignInMethod } from '@/lib/contract/access/access-limits';
import { localUsersSchema } from '@/lib/contract/access/access-schemas';
import { grantsSchema } from '@/lib/contract/access/grant-schemas';
import { isLoopbackHost } from '@/lib/contract/loopback-host';
import { jsonOf } from './json-setting';
import { publicPathOf } from './public-path';

const CONFIGURABLE_METHODS = ['none', 'link', 'local', 'oidc'] as const;
type ConfiguredMethod = Exclude<SignInMethod, 'token'>;

/** The console's address: scheme, host, port, and the path below which a proxy serves it. */
function siteOf(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const isPlain = publicPathOf(url) !== null && url.search === '' && url.hash === '' && url.username === '';
  return isPlain && /^https?:$/.test(url.protocol) ? url : null;
}

/** Without a slash at the end, so that a path can follow. */
function publicUrlOf(text: string): string {
  const url = siteOf(text);
  return url === null ? text : `${url.origin}${publicPathOf(url) ?? ''}`;
}

const isSafeIssuer = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash, username } = new URL(text);
  if (search !== '' || hash !== '' || username !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
};

const amount = (from: number, to: number) =>
  z.coerce.number('must be a number').min(from, `must be at least ${from}`).max(to, `must be at most ${to}`);
const HOST_PATTERN = /^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(:\d{1,5})?$/;

export const authenticationShape = {
  /** Left out: the configured methods; with none on a loopback HOST, the one-time link. */
  AUTH: z
    .string()
    .transform((text) => text.split(',').map((method) => method.trim()))
    .pipe(
      z.array(
        z.enum(CONFIGURABLE_METHODS, 'must be a list of these, separated by commas: none, link, local, oidc'),
      ),
    )
    .optional(),
  /** The address that users type; https:// means that a TLS server answers there. */
  PUBLIC_URL: z
    .string()
    .refine(
      (text) => siteOf(text) !== null,
      'must be like https://redrive.example.com or https://example.com/redrive',
    )
    .transform((text) => publicUrlOf(text))
    .optional(),
  REDRIVE_ALLOW_HTTP: z.enum(['yes', 'no'], 'must be yes or no').default('no'),
  /** The number of proxies in front of the console. It trusts the X-Forwarded-For entry of each. */
  TRUST_PROXY: amount(0, 10).int('must be a whole number').default(0),
  REDRIVE_ALLOWED_HOSTS: z
    .string()
    .transform((text) => text.split(',').map((host) => host.trim().toLowerCase()))
    .pipe(
      z
        .array(z.string().regex(HOST_PATTERN, 'must be names such as redrive.internal or 10.0.0.5:3000'))
        .max(50),
    )
    .default([]),
  REDRIVE_USERS: jsonOf(
    localUsersSchema,
    '{"users": [{"name", "hash", "grants"}]} as npm run user writes it',
  ).optional(),
  REDRIVE_USERS_FILE: z.string().optional(),
  OIDC_ISSUER: z
    .string()
    .refine(
      isSafeIssuer,
      'must be the https:// address of the identity provider (http:// on this machine only)',
    )
    .optional(),
  OIDC_CLIENT_ID: z.string().max(300).optional(),
  OIDC_CLIENT_SECRET: z.string().max(1_000).optional(),
  OIDC_CLIENT_SECRET_FILE: z.string().optional(),
  /** Where the console sends its client secret: in a header, or in the body. */
  OIDC_CLIENT_AUTH: z.enum(['basic', 'post'], 'must be basic or post').default('basic'),
  /** The label of the sign-in button. */
  OIDC_NAME: z.string().max(60, 'must be at most 60 characters').default('single sign-on'),
  OIDC_SCOPES: z
    .string()
    .max(300)
    .refine((text) => text.split(' ').includes('openid'), 'must hold openid, such as "openid profile email"')
    .default('openid profile email'),
  OIDC_GROUPS_CLAIM: z.string().max(200).default('groups'),
  OIDC_GRANTS: jsonOf(
    z.record(z.string().min(1).max(200), grantsSchema.min(1, 'give at least one grant')),
    '{"group": [{"role": "viewer"}]}',
  ).default({}),
  /** Whether a re-authentication needs the provider's word of when it asked; otherwise its return after prompt=login counts. */
  OIDC_AUTH_TIME: z
    .enum(['required', 'optional', 'ignored'], 'must be required, optional or ignored')
    .default('required'),
  /** Whether a sign-out here also signs the user out at the provider. */
  OIDC_SIGN_OUT: z.enum(['provider', 'console'], 'must be provider or console').default('provider'),
  REDRIVE_SESSION_IDLE_MINUTES: amount(1, 1_440).default(60),
  REDRIVE_SESSION_MAX_HOURS: amount(0.1, 720).default(12),
  REDRIVE_REAUTHENTICATION_MINUTES: amount(0.01, 1_440).default(10),
  REDRIVE_AUDIT_KEY: z.string().min(32, 'must be at least 32 characters: a random key').optional(),
  REDRIVE_AUDIT_KEY_FILE: z.string().optional(),
  REDRIVE_AUDIT_KEEP_DAYS: amount(1, 3_650).default(400),
  REDRIVE_METRICS_TOKEN_HASH: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be the SHA-256 of a token in 64 digits: printf %s "$TOKEN" | sha256sum')
    .optional(),
};

type Given = Readonly<Record<string, string | undefined>>;
const hostOf = (given: Given): string => given.HOST ?? '127.0.0.1';

/** AUTH, or the methods that follow from the other settings. Unknown words are ignored here: `authenticationShape` names them. */
export function configuredMethods(given: Given): ConfiguredMethod[] {
  if (given.AUTH !== undefined) {
    const words = given.AUTH.split(',').map((word) => word.trim());
    return CONFIGURABLE_METHODS.filter((method) => words.includes(method));
  }
  const found: ConfiguredMethod[] = [];
  if (given.REDRIVE_USERS !== undefined || given.REDRIVE_USERS_FILE !== undefined) found.push('local');
  if (given.OIDC_ISSUER !== undefined) found.push('oidc');
  return found.length > 0 ? found : isLoopbackHost(hostOf(given)) ? ['link'] : [];
}

/** Problems of the settings together, as ends of sentences that begin with the variable. */
export function authenticationProblems(given: Given): string[] {
  const methods = configuredMethods(given);
  return [
    ...openDoors(given, methods),
    ...publicUrlProblems(given),
    ...sourceProblems(given, methods),
    ...eitherProblems(given),
  ];
}

/** Without sign-in, or with the link on the console's output, the console must not be reachable from other machines. */
function openDoors(given: Given, methods: ConfiguredMethod[]): string[] {
  const problems: string[] = [];
  const host = hostOf(given);
  const isLocal = isLoopbackHost(host);
  if (methods.includes('none') && methods.length > 1)
    problems.push('AUTH=none cannot be combined: users who need not sign in never use another method');
  if (!isLocal && methods.length === 0)
    problems.push(
      `HOST=${host} opens the console to other machines, and there is no sign-in method. Configure one: users (npm run user -- add, then REDRIVE_USERS_FILE), or an identity provider (OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_GRANTS). Or use HOST=127.0.0.1: some shells set HOST by themselves (conda, tcsh)`,
    );
  const open = methods.find((method) => method === 'none' || method === 'link');
  if (open === undefined) return problems;
  const only = `AUTH=${open} is for this machine only`;
  if (!isLocal) problems.push(`${only}: HOST must be a loopback address (127.0.0.1, ::1 or localhost)`);
  const publicUrl = given.PUBLIC_URL === undefined ? null : siteOf(given.PUBLIC_URL);
  if (publicUrl && !isLoopbackHost(publicUrl.hostname))
    problems.push(`${only}: PUBLIC_URL says that other machines reach the console. Configure users or OIDC`);
  if (given.TRUST_PROXY !== undefined && given.TRUST_PROXY !== '0')
    problems.push(`${only}: TRUST_PROXY says that a proxy serves other machines. Configure users or OIDC`);
  const others = (given.REDRIVE_ALLOWED_HOSTS ?? '').split(',').map((name) => name.trim());
  if (others.some((name) => name !== '' && !isLoopbackHost(name.replace(/:\d+$/, ''))))
    problems.push(`${only}: REDRIVE_ALLOWED_HOSTS may then hold loopback names only`);
  return problems;
}

function publicUrlProblems(given: Given): string[] {
  const isLocal = isLoopbackHost(hostOf(given));
  if (given.PUBLIC_URL === undefined)
    return isLocal
      ? []
      : [
          'PUBLIC_URL is missing: with a HOST that others reach, say the address they use, such as https://redrive.example.com',
        ];
  const url = siteOf(given.PUBLIC_URL);
  if (url === null || url.protocol === 'https:') return [];
  if ((isLocal && isLoopbackHost(url.hostname)) || given.REDRIVE_ALLOW_HTTP === 'yes') return [];
  return [
    'PUBLIC_URL is http://, so passwords and cookies would cross the network readable. Put TLS in front and say https://, or accept that with REDRIVE_ALLOW_HTTP=yes',
  ];
}

/** A sign-in method needs its source of users. */
function sourceProblems(given: Given, methods: ConfiguredMethod[]): string[] {
  const problems: string[] = [];
  if (
    methods.includes('local') &&
    given.REDRIVE_USERS === undefined &&
    given.REDRIVE_USERS_FILE === undefined
  )
    problems.push('REDRIVE_USERS_FILE is missing: AUTH names local. Add a user with npm run user -- add');
  if (!methods.includes('oidc')) return problems;
  for (const name of ['OIDC_ISSUER', 'OIDC_CLIENT_ID'])
    if (given[name] === undefined) problems.push(`${name} is missing: sign-in by OIDC needs it`);
  return problems;
}

const EITHER = ['REDRIVE_USERS', 'OIDC_CLIENT_SECRET', 'REDRIVE_AUDIT_KEY', 'REDRIVE_ALERTS'];
const eitherProblems = (given: Given): string[] =>
  EITHER.filter((name) => given[name] !== undefined && given[`${name}_FILE`] !== undefined).map(
    (name) => `${name} and ${name}_FILE are both set: set one of them`,
  );
