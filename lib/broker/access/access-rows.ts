/** Rows of sessions, tokens and users, as lua/access/sessions.lua and tokens.lua have them. */
import {
  disabledBySchema,
  type SessionDetails,
  sessionDetailsSchema,
  type TokenDetails,
  tokenDetailsSchema,
  type UserDetails,
  userDetailsSchema,
} from '@/lib/contract/access/access-records';
import { grantsSchema } from '@/lib/contract/access/grant-schemas';
import type { Grant } from '@/lib/contract/access/grant-scopes';
import { parseJsonRow } from '../redis/parse-json';

export interface Session extends Omit<SessionDetails, 'name'> {
  /** Names it in lists and records; it opens nothing. */
  readonly id: string;
  readonly userId: string;
  readonly userName: string;
  readonly createdAt: number;
  /** When it was used, to the minute. */
  readonly seenAt: number;
  /** When its user last confirmed their identity; 0: never. */
  readonly authenticatedAt: number;
  /** When it ends if it is not used. */
  readonly expiresAt: number;
  /** What must still hold of its user, such as their password's; null: nothing. */
  readonly stamp: string | null;
}

const SESSION_ROW = /^(\d+) (\d+) (\d+) (\d+) (\d+) [0-9a-f]{64}\n([^\n]*)\n([^\n]*)\n(.*)$/;

export function parseSession(id: string, row: string): Session | null {
  const found = SESSION_ROW.exec(row);
  if (!found) return null;
  const [createdAt = 0, seenAt = 0, authenticatedAt = 0, most = 0, idleMs = 0] = found
    .slice(1, 6)
    .map(Number);
  const about = parseJsonRow(sessionDetailsSchema, found[8] ?? '');
  if (!about) return null;
  const { name, ...details } = about;
  return {
    id,
    userId: found[6] ?? '',
    userName: name,
    createdAt,
    seenAt,
    authenticatedAt,
    expiresAt: Math.min(most, seenAt + idleMs),
    stamp: found[7] || null,
    ...details,
  };
}

export interface Token extends TokenDetails {
  /** Names it in lists and records; it opens nothing. */
  readonly id: string;
  readonly ownerId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** To the minute. */
  readonly lastUsedAt: number | null;
  readonly lastAddress: string | null;
}

const TOKEN_ROW = /^(\d+) (\d+) (\d+) [0-9a-f]{64}\n([^\n]*)\n([^\n]*)\n(.*)$/;

export function parseToken(id: string, row: string): Token | null {
  const found = TOKEN_ROW.exec(row);
  const about = found && parseJsonRow(tokenDetailsSchema, found[6] ?? '');
  if (!about) return null;
  return {
    ...about,
    id,
    ownerId: found[4] ?? '',
    createdAt: Number(found[1]),
    expiresAt: Number(found[2]),
    lastUsedAt: Number(found[3]) || null,
    lastAddress: found[5] || null,
  };
}

export interface UserProfile extends UserDetails {
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
}

export interface UserAccess {
  /** Null: nothing was given here; their file or groups say what they may do. */
  readonly grants: readonly Grant[] | null;
  /** Null: they may sign in. */
  readonly disabled: { readonly by: string; readonly at: number; readonly reason: string } | null;
}

export interface UserRecord extends UserAccess {
  readonly id: string;
  /** Null: was never here, or so long ago that it was forgotten. */
  readonly seen: UserProfile | null;
}

export const parseUser = (id: string, profileRow: string, accessRow: string): UserRecord => ({
  id,
  seen: parseProfile(profileRow),
  ...parseUserAccess(accessRow),
});

function parseProfile(row: string): UserProfile | null {
  const found = /^(\d+) (\d+)\n(.*)$/.exec(row);
  const about = found && parseJsonRow(userDetailsSchema, found[3] ?? '');
  return about ? { ...about, firstSeenAt: Number(found[1]), lastSeenAt: Number(found[2]) } : null;
}

const NOTHING: UserAccess = { grants: null, disabled: null };
/** Damaged from outside: what was taken away from a user does not come back by that. */
const CLOSED: UserAccess = {
  grants: [],
  disabled: { by: 'redrive', at: 0, reason: 'the row cannot be read' },
};

function parseUserAccess(row: string): UserAccess {
  if (row === '') return NOTHING;
  const found = /^([^\n]*)\n(?:-|(\d+) (.*))$/.exec(row);
  if (!found) return CLOSED;
  const [, grantsText = '', at, shutText = ''] = found;
  const grants = grantsText === '-' ? null : parseJsonRow(grantsSchema, grantsText);
  const shut = at === undefined ? null : parseJsonRow(disabledBySchema, shutText);
  if ((grants === null && grantsText !== '-') || (shut === null && at !== undefined)) return CLOSED;
  return { grants, disabled: shut && { ...shut, at: Number(at) } };
}
