/**
 * Local users: from the variable REDRIVE_USERS, or from a file that is read again whenever it changed, so that a removed user is out with
 * the next request. While the file cannot be used, the last good one stays valid; without one no local user can sign in.
 */

import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { type LocalUser, localUsersSchema } from '@/lib/contract/access/access-schemas';
import { errorText } from '@/lib/contract/describe-error';
import { readSmallFile } from '@/lib/process/read-small-file';
import { readEnv } from '@/lib/server/environment';
import { LiveFile } from '@/lib/server/live-file';
import { singleton } from '@/lib/server/singleton';
import { nameKey, tokenGenerationOf, userIdOf } from '@/lib/users/users-file';

/** 1,000 users with 20 grants each stay well under it. */
const FILE_MAX_BYTES = 4 * 1024 * 1024;

/** A user with what sessions, tokens and grants are tied to. */
export interface KnownUser {
  /** `local:<id>`: another user may get the name one day. */
  readonly userId: string;
  readonly user: LocalUser;
  /** Changes with the password: sessions with another stamp have ended. */
  readonly stamp: string;
  /** API tokens with another number have ended. */
  readonly tokenGeneration: number;
}
interface Users {
  readonly byId: ReadonlyMap<string, KnownUser>;
  readonly byName: ReadonlyMap<string, KnownUser>;
}
const NO_USERS: Users = { byId: new Map(), byName: new Map() };

const files = singleton(
  'local-users',
  () => new LiveFile((path) => indexed(readUsers(path)), messageOf, stays),
);

/** By the id in records, sessions and tokens: `local:<id>`. */
export const localUserOf = (userId: string): KnownUser | null => current().byId.get(userId) ?? null;

/** By the name that the user types to sign in. */
export const localUserNamed = (name: string): KnownUser | null => current().byName.get(nameKey(name)) ?? null;

export const localUsers = (): readonly KnownUser[] => [...current().byId.values()];

/** A sentence that says why the console cannot use the users file; null: it can. */
export function usersFileProblem(): string | null {
  const { REDRIVE_USERS_FILE: path } = readEnv(process.env);
  if (path === undefined) return null;
  try {
    readUsers(path);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

function current(): Users {
  const { REDRIVE_USERS, REDRIVE_USERS_FILE: path } = readEnv(process.env);
  if (path === undefined) return indexed(REDRIVE_USERS?.users ?? []);
  return files().current(path) ?? NO_USERS;
}

const stays = (users: Users | null): string =>
  users && users.byId.size > 0 ? 'The users read before stay valid.' : 'No user can sign in by password.';

const indexOf = new WeakMap<readonly LocalUser[], Users>();
function indexed(users: readonly LocalUser[]): Users {
  const made = indexOf.get(users);
  if (made) return made;
  const known = users.map((user) => ({
    userId: `local:${userIdOf(user)}`,
    user,
    stamp: stampOf(user.hash),
    tokenGeneration: tokenGenerationOf(user),
  }));
  const index: Users = {
    byId: new Map(known.map((one) => [one.userId, one])),
    byName: new Map(known.map((one) => [nameKey(one.user.name), one])),
  };
  indexOf.set(users, index);
  return index;
}

const stampOf = (hash: string): string => createHash('sha256').update(hash).digest('hex').slice(0, 32);

/** @throws Error with a sentence that names the file and the fix, but none of its content */
function readUsers(path: string): LocalUser[] {
  const { mode, size } = statSync(path);
  if ((mode & 0o077) !== 0)
    throw new Error(
      `REDRIVE_USERS_FILE ${path} can be read by others on this machine. Run: chmod 600 ${path}`,
    );
  if (size > FILE_MAX_BYTES)
    throw new Error(`REDRIVE_USERS_FILE ${path} is larger than ${FILE_MAX_BYTES} bytes.`);
  const parsed = localUsersSchema.safeParse(jsonIn(path));
  if (parsed.success) return parsed.data.users;
  const problems = parsed.error.issues
    .slice(0, 5)
    .map((issue) => `${issue.path.join('.') || 'its top'} ${issue.message}`);
  throw new Error(`REDRIVE_USERS_FILE ${path} is not valid: ${problems.join('; ')}.`);
}

function jsonIn(path: string): unknown {
  const text = readSmallFile(path, FILE_MAX_BYTES);
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`REDRIVE_USERS_FILE ${path} is not JSON. Let npm run user write it.`);
  }
}

function messageOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  const { REDRIVE_USERS_FILE: path } = readEnv(process.env);
  if (code === 'ENOENT')
    return `REDRIVE_USERS_FILE ${path} does not exist. Make it with: npm run user -- add <name> --role admin.`;
  if (code !== undefined) return `REDRIVE_USERS_FILE ${path} cannot be read (${code}).`;
  return errorText(error);
}
