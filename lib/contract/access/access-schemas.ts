/** Sign-in, sessions, users and API tokens in the HTTP API. */
import { z } from 'zod';
import {
  COLUMN_WIDTH_MAX,
  COLUMN_WIDTH_MIN,
  DENSITIES,
  TABLE_ENTRIES_MAX,
  TABLE_NAME_MAX_CHARS,
  TABLE_SETTINGS_MAX_CHARS,
} from '@/lib/format/column-settings';
import { nameSchema, reasonSchema, sentenceSchema } from '../name-schemas';
import { wholeText } from '../whole-text';
import { PASSWORD_MAX_CHARS, SIGN_IN_METHODS, TOKEN_END_REASONS, TOKEN_MAX_DAYS } from './access-limits';
import { grantsSchema } from './grant-schemas';
import { PERMISSIONS } from './grant-scopes';
import { userNameSchema } from './user-name';

export const signInMethodSchema = z.enum(SIGN_IN_METHODS);

/** What the sign-in page may know before sign-in. */
export const signInOptionsSchema = z.object({
  methods: z.array(signInMethodSchema),
  /** Label of the sign-in button; null: no OIDC. */
  oidcName: z.string().nullable(),
});
export type SignInOptions = z.infer<typeof signInOptionsSchema>;
export const signInRequestSchema = z.strictObject({
  name: wholeText().min(1, 'must not be empty').max(200),
  password: wholeText().min(1, 'must not be empty').max(PASSWORD_MAX_CHARS),
});
export const linkRequestSchema = z.strictObject({ code: z.string().min(1).max(200) });
/** The response to a sign-in, besides the cookie. */
export const signedInSchema = z.object({ id: z.string(), name: z.string(), expiresAt: z.number() });
export type SignedIn = z.infer<typeof signedInSchema>;
/** DELETE /api/v1/session. */
export const signedOutSchema = z.object({
  ended: z.number(),
  /** Where the browser continues to sign out at the identity provider; null: nowhere. */
  continueAt: z.url({ protocol: /^https?$/ }).nullable(),
});

/** Confirms the identity again before a destructive action. */
export const reauthenticationRequestSchema = z.strictObject({
  password: wholeText().min(1, 'must not be empty').max(PASSWORD_MAX_CHARS),
});

export const reauthenticatedSchema = z.object({ reauthenticatedUntil: z.number() });

/** POST /api/v1/session/password: a local user changes their own password. */
export const passwordChangeSchema = z.strictObject({
  password: wholeText().min(1, 'must not be empty').max(PASSWORD_MAX_CHARS),
  newPassword: wholeText().min(1, 'must not be empty').max(PASSWORD_MAX_CHARS),
  /** Whether the user's API tokens end with the old password. */
  tokens: z.enum(['end', 'keep'], 'must be end or keep'),
});
export const passwordChangedSchema = z.object({
  ended: z.object({ sessions: z.number(), tokens: z.number() }),
});

const byName = <S extends z.ZodType>(value: S) =>
  z
    .record(z.string().min(1, 'must not be empty').max(TABLE_NAME_MAX_CHARS), value)
    .refine((all) => Object.keys(all).length <= TABLE_ENTRIES_MAX, `must be at most ${TABLE_ENTRIES_MAX}`);

/** PUT /api/v1/me/tables. */
export const tableSettingsSchema = z
  .strictObject({
    density: z.enum(DENSITIES),
    tables: byName(
      z.strictObject({
        shown: byName(z.boolean()),
        widths: byName(z.int().min(COLUMN_WIDTH_MIN).max(COLUMN_WIDTH_MAX)),
      }),
    ),
  })
  .refine(
    (settings) => JSON.stringify(settings).length <= TABLE_SETTINGS_MAX_CHARS,
    `must be at most ${TABLE_SETTINGS_MAX_CHARS} characters as JSON`,
  );

/** GET /api/v1/me. */
export const meSchema = z.object({
  /** Stable, for records: `local:<id>`, `oidc:<provider>:<subject>`, `link`, `none`, `token:<id>`. */
  id: z.string(),
  name: z.string(),
  /** AUTH=none only: whether the user gave a name. */
  chosen: z.boolean(),
  method: signInMethodSchema,
  grants: grantsSchema,
  /** Permissions in at least one queue; `grants` says where. */
  permissions: z.array(z.enum(PERMISSIONS)),
  /** Destructive actions ask for re-authentication after this time, in ms since 1970; null: never (AUTH=none, link, token). */
  reauthenticatedUntil: z.number().nullable(),
  /** By password here, or at the identity provider. */
  reauthentication: z.enum(['password', 'oidc', 'none']),
  /** Where the user changes the password: in the console or by command; null: there is none here. */
  passwordChange: z.enum(['here', 'command']).nullable(),
  sessionId: z.string().nullable(),
  expiresAt: z.number().nullable(),
  /** How the user wants tables, in every browser; null: the user chose nothing, or has no name (a token, AUTH=none). */
  tables: tableSettingsSchema.nullable(),
});
export type Me = z.infer<typeof meSchema>;

/** `id` names the session in lists and records; it gives no access. */
export const sessionSchema = z.object({
  id: z.string(),
  userId: z.string(),
  userName: z.string(),
  method: signInMethodSchema,
  address: z.string(),
  agent: z.string(),
  createdAt: z.number(),
  seenAt: z.number(),
  expiresAt: z.number(),
  /** The session of this request. */
  current: z.boolean(),
});
export type SessionView = z.infer<typeof sessionSchema>;
export const sessionsPageSchema = z.object({ at: z.number(), sessions: z.array(sessionSchema) });

export const userViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  method: signInMethodSchema,
  /** Of the identity provider, as of the last sign-in. */
  groups: z.array(z.string()),
  /** Effective. */
  grants: grantsSchema,
  /** The source of `grants`: the console, the users file, the identity provider's groups. */
  grantsFrom: z.enum(['console', 'file', 'groups', 'fixed']),
  /** Null: may sign in. */
  disabled: z.object({ by: z.string(), at: z.number(), reason: z.string() }).nullable(),
  /** Not in the users file any more, or of another identity provider: cannot sign in, and has no valid tokens. */
  removed: z.boolean(),
  firstSeenAt: z.number().nullable(),
  lastSeenAt: z.number().nullable(),
  sessions: z.number(),
});
export type UserView = z.infer<typeof userViewSchema>;
export const usersPageSchema = z.object({ at: z.number(), users: z.array(userViewSchema) });
/** PATCH /api/v1/access/users/:id. `grants: null` restores the grants from the file or the groups. */
export const userAccessChangeSchema = z
  .strictObject({
    grants: grantsSchema.nullable().optional(),
    disabled: z.boolean().optional(),
    reason: reasonSchema,
  })
  .refine(({ grants, disabled }) => grants !== undefined || disabled !== undefined, {
    message: 'give grants or disabled',
  });
export type UserAccessChange = z.infer<typeof userAccessChangeSchema>;
export const tokenRequestSchema = z.strictObject({
  name: sentenceSchema(60),
  /** A token has a permission only where its owner has it, too. */
  grants: grantsSchema.min(1, 'give at least one grant'),
  expiresInDays: z.number().int().min(1).max(TOKEN_MAX_DAYS).default(90),
});
export type TokenRequest = z.input<typeof tokenRequestSchema>;
export const tokenViewSchema = z.object({
  id: nameSchema,
  name: z.string(),
  /** The first letters of the token, to recognise it in a list. */
  hint: z.string(),
  owner: z.object({ id: z.string(), name: z.string() }),
  grants: grantsSchema,
  createdAt: z.number(),
  expiresAt: z.number(),
  /** Null: valid until it expires, while its owner may sign in. */
  endedBy: z.enum(TOKEN_END_REASONS).nullable(),
  lastUsedAt: z.number().nullable(),
  lastAddress: z.string().nullable(),
});
export type TokenView = z.infer<typeof tokenViewSchema>;
export const tokensPageSchema = z.object({ at: z.number(), tokens: z.array(tokenViewSchema) });
/** Shown once: Redis stores a digest. */
export const newTokenSchema = z.object({ token: z.string(), view: tokenViewSchema });
export const reasonOnlySchema = z.strictObject({ reason: reasonSchema });
export const endedSchema = z.object({ ended: z.number() });

/** A local user in the users file or in REDRIVE_USERS. */
const localUserSchema = z.strictObject({
  /** Random, and never reused. `npm run user` writes it; see lib/users/users-file.ts for users without one. */
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be 1 to 40 small letters, digits and hyphens')
    .optional(),
  name: userNameSchema,
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
