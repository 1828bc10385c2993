/** Signing in, sessions, people and API tokens, as the HTTP API has them. */
import { z } from 'zod';
import { nameSchema, reasonSchema, sentenceSchema } from './names';
import { grantsSchema, PERMISSIONS } from './permissions';
import { personNameSchema } from './person';

/** How somebody came in. `none`: AUTH=none, on this machine only; `link`: by the one-time link that the console printed. */
export const WAYS_IN = ['none', 'link', 'local', 'oidc', 'token'] as const;
export const wayInSchema = z.enum(WAYS_IN);
export type WayIn = z.infer<typeof wayInSchema>;

/** What the sign-in page may know before anybody signed in. */
export const signInOptionsSchema = z.object({
  ways: z.array(wayInSchema),
  /** What to write on the button; null: no OIDC. */
  oidcName: z.string().nullable(),
});
export type SignInOptions = z.infer<typeof signInOptionsSchema>;

export const PASSWORD_MIN_CHARS = 15;
export const PASSWORD_MAX_CHARS = 256;
export const signInRequestSchema = z.strictObject({
  name: z.string().min(1, 'must not be empty').max(200),
  password: z.string().min(1, 'must not be empty').max(PASSWORD_MAX_CHARS),
});
export const linkRequestSchema = z.strictObject({ code: z.string().min(1).max(200) });
/** What signing in answers with, besides the cookie. */
export const signedInSchema = z.object({ id: z.string(), name: z.string(), expiresAt: z.number() });
export type SignedIn = z.infer<typeof signedInSchema>;
/** DELETE /api/v1/session. */
export const signedOutSchema = z.object({
  ended: z.number(),
  /** Where the browser goes on to sign out at the identity provider; null: nowhere. */
  continueAt: z.url({ protocol: /^https?$/ }).nullable(),
});
export const provedSchema = z.object({ provedUntil: z.number() });

/**
 * Why a way over the identity provider ended without a session: `/sign-in?problem=<name>`. The sentences are ours: what the provider
 * says is never shown.
 */
export const SIGN_IN_PROBLEMS = {
  denied: 'The identity provider did not let you in. Try again, or ask who looks after it.',
  stale: 'This sign-in took too long, or was begun in another window. Start it again.',
  failed:
    'What the identity provider answered does not fit what was asked for, so nobody was signed in. Start again.',
  unavailable: 'The identity provider does not answer. Try again in a moment, or sign in another way.',
  'no-role': 'You are known, but no role was given to your groups. Ask who looks after this console.',
  disabled: 'Your access to this console was ended. Ask who looks after it.',
  'other-person': 'You proved to be somebody else than who is signed in here. Nothing was changed.',
  'too-many': 'There were too many attempts from here. Wait a while, then try again.',
  off: 'This console has no identity provider. Sign in another way.',
  'console-unavailable':
    'The console cannot reach its Redis, so nobody can sign in just now. Try again in a moment.',
} as const;
export type SignInProblem = keyof typeof SIGN_IN_PROBLEMS;

/** Says once more who one is, before something that destroys. */
export const proofRequestSchema = z.strictObject({
  password: z.string().min(1, 'must not be empty').max(PASSWORD_MAX_CHARS),
});

/** POST /api/v1/session/password: of a user of this console, their own. */
export const passwordChangeSchema = z.strictObject({
  password: z.string().min(1, 'must not be empty').max(PASSWORD_MAX_CHARS),
  newPassword: z.string().min(1, 'must not be empty').max(PASSWORD_MAX_CHARS),
  /** Whether the person's API tokens end with the old password. */
  tokens: z.enum(['end', 'keep'], 'must be end or keep'),
});
export const passwordChangedSchema = z.object({
  ended: z.object({ sessions: z.number(), tokens: z.number() }),
});

/** GET /api/v1/me. */
export const meSchema = z.object({
  /** Stable, for records: `local:<id>`, `oidc:<provider>:<subject>`, `link`, `none`, `token:<id>`. */
  id: z.string(),
  name: z.string(),
  /** AUTH=none only: whether the person gave a name of their own. */
  chosen: z.boolean(),
  way: wayInSchema,
  grants: grantsSchema,
  /** Those held anywhere. What is held where is judged with `grants`. */
  permissions: z.array(z.enum(PERMISSIONS)),
  /** Until when destructive actions ask for no new proof, in ms since 1970; null: they never ask (AUTH=none, link, token). */
  provedUntil: z.number().nullable(),
  /** How a proof is given: by password here, or at the identity provider. */
  proof: z.enum(['password', 'oidc', 'none']),
  /** Where the person changes their password: in the console, or by command; null: they have none here. */
  passwordChange: z.enum(['here', 'command']).nullable(),
  sessionId: z.string().nullable(),
  expiresAt: z.number().nullable(),
});
export type Me = z.infer<typeof meSchema>;

/** `id` names the session in lists and records; it opens nothing. */
export const sessionSchema = z.object({
  id: z.string(),
  personId: z.string(),
  personName: z.string(),
  way: wayInSchema,
  address: z.string(),
  agent: z.string(),
  createdAt: z.number(),
  seenAt: z.number(),
  expiresAt: z.number(),
  /** The one this request came with. */
  current: z.boolean(),
});
export type SessionView = z.infer<typeof sessionSchema>;
export const sessionsPageSchema = z.object({ at: z.number(), sessions: z.array(sessionSchema) });

export const personViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  way: wayInSchema,
  /** Of the identity provider, as of the last sign-in. */
  groups: z.array(z.string()),
  /** In force. */
  grants: grantsSchema,
  /** Where these come from: given in the console, the file of users, the identity provider's groups. */
  grantsFrom: z.enum(['console', 'file', 'groups', 'fixed']),
  /** Null: may sign in. */
  disabled: z.object({ by: z.string(), at: z.number(), reason: z.string() }).nullable(),
  /** No longer in the users file, or of another identity provider than now: cannot sign in, and has no tokens in force. */
  removed: z.boolean(),
  firstSeenAt: z.number().nullable(),
  lastSeenAt: z.number().nullable(),
  sessions: z.number(),
});
export type PersonView = z.infer<typeof personViewSchema>;
export const peoplePageSchema = z.object({ at: z.number(), people: z.array(personViewSchema) });
/** PATCH /api/v1/access/people/:id. `grants: null` goes back to what the file or the groups say. */
export const personAccessChangeSchema = z
  .strictObject({
    grants: grantsSchema.nullable().optional(),
    disabled: z.boolean().optional(),
    reason: reasonSchema,
  })
  .refine(({ grants, disabled }) => grants !== undefined || disabled !== undefined, {
    message: 'give grants or disabled',
  });
export type PersonAccessChange = z.infer<typeof personAccessChangeSchema>;

/** Why a token is not in force before it expires. */
export const TOKEN_ENDS = ['owner-removed', 'password-changed'] as const;
export const TOKEN_PREFIX = 'rdt_';
export const TOKEN_MAX_DAYS = 365;
export const tokenRequestSchema = z.strictObject({
  name: sentenceSchema(60),
  /** What it may do, of what its owner may: both count when it is used. */
  grants: grantsSchema.min(1, 'give at least one grant'),
  expiresInDays: z.number().int().min(1).max(TOKEN_MAX_DAYS).default(90),
});
export type TokenRequest = z.input<typeof tokenRequestSchema>;
export const tokenViewSchema = z.object({
  id: nameSchema,
  name: z.string(),
  /** The first letters of the token, to tell it in a list. */
  hint: z.string(),
  owner: z.object({ id: z.string(), name: z.string() }),
  grants: grantsSchema,
  createdAt: z.number(),
  expiresAt: z.number(),
  /** Null: in force until it expires, as far as its owner is let in. */
  endedBy: z.enum(TOKEN_ENDS).nullable(),
  lastUsedAt: z.number().nullable(),
  lastAddress: z.string().nullable(),
});
export type TokenView = z.infer<typeof tokenViewSchema>;
export const tokensPageSchema = z.object({ at: z.number(), tokens: z.array(tokenViewSchema) });
/** Shown once: what is stored is a digest. */
export const newTokenSchema = z.object({ token: z.string(), view: tokenViewSchema });
export const reasonOnlySchema = z.strictObject({ reason: reasonSchema });
export const endedSchema = z.object({ ended: z.number() });

/** How hashes of passwords are made: argon2id with the first of OWASP's choices. */
export const PASSWORD_HASH = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const;

/** A local user as the file of users, or the variable, has it. */
export const localUserSchema = z.strictObject({
  /** Random, and never given to a second user. `npm run user` writes it; see lib/users/users-file.ts for users without one. */
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be 1 to 40 small letters, digits and hyphens')
    .optional(),
  name: personNameSchema,
  /** `$argon2id$…`, as `npm run user` writes it. */
  hash: z
    .string()
    .regex(/^\$argon2id\$v=19\$m=\d{4,7},t=\d{1,2},p=\d{1,2}\$[A-Za-z0-9+/]{11,}\$[A-Za-z0-9+/]{27,}$/, {
      message: 'is no argon2id hash: add the user with npm run user',
    }),
  grants: grantsSchema.min(1, 'give at least one grant'),
  /** API tokens made under another number have ended. Left out: 1. */
  tokenGeneration: z.number().int().min(1).max(1_000_000).optional(),
});
export type LocalUser = z.infer<typeof localUserSchema>;
export const localUsersSchema = z
  .strictObject({ users: z.array(localUserSchema).max(1_000) })
  .refine(
    ({ users }) =>
      new Set(users.map(({ name }) => name.normalize('NFC').toLowerCase())).size === users.length,
    {
      path: ['users'],
      message: 'two users have the same name',
    },
  )
  .refine(
    ({ users }) => {
      const ids = users.flatMap(({ id }) => id ?? []);
      return new Set(ids).size === ids.length;
    },
    { path: ['users'], message: 'two users have the same id' },
  );
