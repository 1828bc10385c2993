/**
 * The users file: read strictly, and written as a whole by one writer at a time, so that no reader ever sees half of it. And the ids of
 * its users, to which sessions, tokens and grants refer: a name can be given to somebody else.
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type LocalUser, localUsersSchema } from '@/lib/contract/access/access-schemas';

const OWNER_ONLY = 0o600;
const ID_BYTES = 10;

/** Names are compared without case, and however their letters are composed. */
export const nameKey = (name: string): string => name.normalize('NFC').trim().toLowerCase();

export const newUserId = (): string => randomBytes(ID_BYTES).toString('hex');

/**
 * A user written by hand may have no id. It then follows from name and hash, and the salt of the hash is random: so a later user of that
 * name is another user, and so is a user with a hash replaced by hand.
 */
export const userIdOf = ({ id, name, hash }: LocalUser): string =>
  id ??
  createHash('sha256')
    .update(`${nameKey(name)}\n${hash}`)
    .digest('hex')
    .slice(0, 2 * ID_BYTES);

export const tokenGenerationOf = ({ tokenGeneration = 1 }: LocalUser): number => tokenGeneration;

/** @throws Error with a sentence; a file that is not there has no users */
export function usersIn(path: string): LocalUser[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new Error(`${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(`${path} is not JSON. Repair it, or move it away to start anew.`);
  }
  const parsed = localUsersSchema.safeParse(value);
  if (parsed.success) return parsed.data.users;
  const [issue] = parsed.error.issues;
  throw new Error(`${path} is not a file of users: ${issue?.path.join('.') || 'its top'} ${issue?.message}.`);
}

/** Another process holds its lock. */
export class UsersFileBusy extends Error {
  override readonly name = 'UsersFileBusy';
}

/**
 * Reads, changes and replaces it; users without an id are given theirs first. The new file is made beside the old one under a fixed name that only one can take: it is the lock as well.
 * @throws Error with a sentence; nothing was changed then
 */
export function changeUsers(path: string, change: (users: LocalUser[]) => LocalUser[]): void {
  const target = realPath(path);
  const draft = `${target}.new`;
  let fd: number;
  try {
    fd = openSync(draft, 'wx', OWNER_ONLY);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new UsersFileBusy(
        `Another process is changing ${path}. If there is none, an earlier run was interrupted: remove ${draft}.`,
      );
    throw new Error(`${draft} cannot be made (${code}).`);
  }
  try {
    keepOwner(fd, target);
    const current = usersIn(target).map((user) => ({ ...user, id: userIdOf(user) }));
    const users = localUsersSchema.parse({ users: change(current) });
    writeSync(fd, `${JSON.stringify(users, null, 2)}\n`);
    fsyncSync(fd);
    renameSync(draft, target);
    syncFolder(dirname(target));
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** Mode and owner of the file that is replaced, less what others could do with it: a command of root must not lock the console out. */
function keepOwner(fd: number, target: string): void {
  const old = statSync(target, { throwIfNoEntry: false });
  if (!old) return;
  if (process.getuid?.() === 0) fchownSync(fd, old.uid, old.gid);
  fchmodSync(fd, old.mode & 0o700);
}

/** A link keeps pointing to the file, instead of being replaced by it. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return join(dirname(resolve(path)), path.split('/').at(-1) ?? path);
  }
}

/** The new name is on disk, too, before we say that it is done. */
function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
