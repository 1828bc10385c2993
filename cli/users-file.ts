/** The file of users: read strictly, and written as a whole by one writer at a time, so that no reader ever sees half of it. */
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type LocalUser, localUsersSchema } from '@/lib/contract/access';

const OWNER_ONLY = 0o600;

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
    throw new Error(`${path} is not JSON. Mend it, or move it away to begin anew.`);
  }
  const parsed = localUsersSchema.safeParse(value);
  if (parsed.success) return parsed.data.users;
  const [issue] = parsed.error.issues;
  throw new Error(`${path} is not a file of users: ${issue?.path.join('.') || 'its top'} ${issue?.message}.`);
}

/**
 * Reads, changes and replaces it. The new file is made beside the old one under a fixed name that only one can take: it is the lock as well.
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
      throw new Error(
        `Somebody else is changing ${path}. If nobody is, a run was cut short: remove ${draft}.`,
      );
    throw new Error(`${draft} cannot be made (${code}).`);
  }
  try {
    const users = localUsersSchema.parse({ users: change(usersIn(target)) });
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
