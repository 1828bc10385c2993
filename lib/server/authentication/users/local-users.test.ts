import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LocalUser } from '@/lib/contract/access/access-schemas';
import { log } from '@/lib/server/console-log';
import { localUserNamed, localUserOf, localUsers, usersFileProblem } from './local-users';

const hash = (letter: string) => `$argon2id$v=19$m=19456,t=2,p=1$${letter.repeat(22)}$${letter.repeat(43)}`;
const user = (name: string, letter = 'A'): LocalUser => ({
  id: name.toLowerCase(),
  name,
  hash: hash(letter),
  grants: [{ role: 'viewer', queues: ['*'], tenants: null }],
});

let dir: string;
let file: string;
let errors: string[];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'redrive-users-'));
  file = join(dir, 'users.json');
  vi.stubEnv('REDIS_URL', 'redis://127.0.0.1:6379');
  vi.stubEnv('LOG_LEVEL', 'silent');
  vi.stubEnv('REDRIVE_USERS_FILE', file);
  errors = [];
  vi.spyOn(log(), 'error').mockImplementation((message: unknown) => {
    errors.push(String(message));
  });
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(dir, { recursive: true });
});

/** As `npm run user` does: a new file in the place of the old one. */
function write(users: LocalUser[] | string, mode = 0o600): void {
  const text = typeof users === 'string' ? users : JSON.stringify({ users });
  writeFileSync(`${file}.new`, text);
  // After the umask has had its say.
  chmodSync(`${file}.new`, mode);
  renameSync(`${file}.new`, file);
}
const names = () => localUsers().map(({ user: { name } }) => name);

test('users come from the file, by a name of any case', () => {
  write([user('Ann'), user('Bob', 'B')]);
  expect(usersFileProblem()).toBeNull();
  expect(names()).toEqual(['Ann', 'Bob']);
  expect(localUserNamed(' aNN ')?.user.name).toBe('Ann');
  expect(localUserOf('local:eve')).toBeNull();
  expect(localUserOf('constructor')).toBeNull();
});

test('a changed file counts with the next look', () => {
  write([user('Ann'), user('Bob')]);
  const stamp = localUserOf('local:ann')?.stamp;
  expect(stamp).toMatch(/^[0-9a-f]{32}$/);
  write([user('Ann', 'C')]);
  expect(localUserOf('local:bob')).toBeNull();
  expect(localUserOf('local:ann')?.stamp).not.toBe(stamp);
  write([user('Ann')]);
  expect(localUserOf('local:ann')?.stamp).toBe(stamp);
});

test('a file that breaks leaves the last good one in force, and is complained about once', () => {
  write([user('Ann')]);
  expect(names()).toEqual(['Ann']);
  write('{"users": [');
  expect(names()).toEqual(['Ann']);
  expect(names()).toEqual(['Ann']);
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain('is not JSON. Let npm run user write it. The users read before stay valid.');
  chmodSync(file, 0o644);
  expect(names()).toEqual(['Ann']);
  expect(errors[1]).toContain(`chmod 600 ${file}`);
  rmSync(file);
  expect(names()).toEqual(['Ann']);
  expect(errors[2]).toContain('does not exist');
  write([user('Bob')]);
  expect(names()).toEqual(['Bob']);
});

test.each([
  ['is not there', () => undefined, 'does not exist. Make it with: npm run user -- add'],
  [
    'can be read by the group',
    () => write([user('Ann')], 0o640),
    'can be read by others on this machine. Run: chmod 600',
  ],
  ['can be read by all', () => write([user('Ann')], 0o604), 'Run: chmod 600'],
  ['can be written by the group', () => write([user('Ann')], 0o620), 'Run: chmod 600'],
  ['is no JSON', () => write('users: []'), 'is not JSON'],
  ['has fields nobody knows', () => write('{"users":[],"admin":true}'), 'is not valid'],
  [
    'has two of a name',
    () => write([user('Ann'), { ...user('ANN'), id: 'b' }]),
    'two users have the same name',
  ],
  [
    'has two of an id',
    () => write([user('Ann'), { ...user('Bob'), id: 'ann' }]),
    'two users have the same id',
  ],
  [
    'has an id that is none',
    () => write([{ ...user('Ann'), id: 'a\nb' }]),
    'small letters, digits and hyphens',
  ],
  ['has a password in it', () => write([{ ...user('Ann'), hash: 'hunter2' }]), 'is no argon2id hash'],
])('without a good one before: a file that %s lets nobody in, and no console start', (_, make, sentence) => {
  vi.stubEnv('REDRIVE_USERS_FILE', `${file}`);
  make();
  expect(usersFileProblem()).toContain(sentence);
  expect(usersFileProblem()).not.toContain('hunter2');
  forget();
  expect(names()).toEqual([]);
  expect(localUserOf('local:ann')).toBeNull();
});

/** As a new process would be. */
function forget(): void {
  delete (globalThis as unknown as Record<symbol, unknown>)[Symbol.for('redrive.local-users')];
}

test('the variable serves where no file can', () => {
  vi.stubEnv('REDRIVE_USERS_FILE', '');
  vi.stubEnv('REDRIVE_USERS', JSON.stringify({ users: [{ ...user('Zoë'), id: 'zoe' }] }));
  // Written with a letter and its dots apart, as some keyboards do.
  expect(localUserNamed('ZOE\u0308')?.user.name).toBe('Zoë');
});

test('L2: a user written without an id has one that follows from name and hash: a newcomer of the name is another user', () => {
  const bare = ({ id: _, ...rest }: LocalUser): LocalUser => rest;
  write([bare(user('Ann')), bare(user('Bob'))]);
  const ids = () => localUsers().map(({ userId }) => userId);
  const [ann = '', bob = ''] = ids();
  expect(ann).toMatch(/^local:[0-9a-f]{20}$/);
  expect(ann).not.toBe(bob);
  // Whoever writes the name in another case, or changes what they may do, writes about the same user.
  write([{ ...bare(user('ANN')), grants: [{ role: 'admin', queues: ['*'], tenants: null }] }]);
  expect(ids()).toEqual([ann]);
  write([bare(user('Ann', 'C'))]);
  expect(ids()).not.toContain(ann);
  expect(localUserOf(ann)).toBeNull();
  // As npm run user would have written it before it changed the password.
  write([{ ...user('Ann', 'C'), id: ann.slice('local:'.length) }]);
  expect(ids()).toEqual([ann]);
});
