/** The pieces of the way over an identity provider that need none: the sealed cookie, groups and names. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  encrypt,
  readTransaction,
  TRANSACTION_MAX_MS,
  type Transaction,
  transactionCookie,
} from './oidc-transaction';
import { grantsOfGroups, groupsIn, oidcIdOf, userFromClaims } from './oidc-user';

beforeEach(() => {
  vi.stubEnv('REDIS_URL', 'redis://127.0.0.1:6379');
  vi.stubEnv('OIDC_ISSUER', 'https://id.example.com');
  vi.stubEnv('OIDC_CLIENT_ID', 'redrive');
  vi.stubEnv('OIDC_CLIENT_SECRET', 'one');
  vi.stubEnv(
    'OIDC_GRANTS',
    '{"ops":[{"role":"operator"}],"ops2":[{"role":"operator"}],"eyes":[{"role":"viewer","queues":["mail*"]}]}',
  );
});
afterEach(() => vi.unstubAllEnvs());

const transaction: Transaction = {
  state: 's',
  nonce: 'n',
  verifier: 'v',
  next: '/dead',
  startedAt: 1_000_000,
  session: null,
};
const headersOf = (value: string) => new Headers({ cookie: `redrive-oidc=${value}` });

test('a transaction comes back as it was, and its cookie shows nothing of it', () => {
  const cookie = transactionCookie(transaction);
  expect(cookie).toMatch(/^redrive-oidc=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
  expect(readTransaction(new Headers({ cookie: cookie.split(';')[0] ?? '' }), 1_000_001)).toEqual(
    transaction,
  );
  expect(Buffer.from(encrypt(transaction), 'base64url').toString('latin1')).not.toContain('/dead');
});

test('over TLS no other host of the domain can plant it', () => {
  vi.stubEnv('PUBLIC_URL', 'https://redrive.example.com');
  const cookie = transactionCookie(transaction);
  expect(cookie).toMatch(
    /^__Host-redrive-oidc=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
  );
  expect(readTransaction(headersOf(encrypt(transaction)), 1_000_001)).toBeNull();
  const planted = `__Secure-redrive-oidc=${encrypt(transaction)}; ${cookie.split(';')[0]}`;
  expect(readTransaction(new Headers({ cookie: planted }), 1_000_001)).toEqual(transaction);
});

test('it is worth nothing once it is old, was changed, or was sealed elsewhere', () => {
  const sealed = encrypt(transaction);
  expect(readTransaction(headersOf(sealed), 1_000_000 + TRANSACTION_MAX_MS)).not.toBeNull();
  expect(readTransaction(headersOf(sealed), 1_000_001 + TRANSACTION_MAX_MS)).toBeNull();
  expect(readTransaction(headersOf(sealed), 999_999)).toBeNull();
  for (const at of [0, 20, sealed.length - 2]) {
    const letter = sealed[at] === 'A' ? 'B' : 'A';
    expect(
      readTransaction(headersOf(sealed.slice(0, at) + letter + sealed.slice(at + 1)), 1_000_001),
    ).toBeNull();
  }
  for (const junk of ['', 'x', sealed.slice(0, 30), '{}'])
    expect(readTransaction(headersOf(junk))).toBeNull();
  vi.stubEnv('OIDC_CLIENT_SECRET', 'two');
  expect(readTransaction(headersOf(sealed), 1_000_001)).toBeNull();
});

test('another process with the same secret reads it, without a secret only this one does', () => {
  const sealed = encrypt(transaction);
  vi.stubEnv('OIDC_CLIENT_SECRET', '');
  expect(readTransaction(headersOf(sealed), 1_000_001)).toBeNull();
  expect(readTransaction(headersOf(encrypt(transaction)), 1_000_001)).toEqual(transaction);
});

test('groups become grants, each once; what is no group of ours grants nothing', () => {
  expect(grantsOfGroups(['ops', 'ops2', 'eyes', 'constructor', '__proto__', 'OPS'])).toEqual([
    { role: 'operator', queues: ['*'], tenants: null },
    { role: 'viewer', queues: ['mail*'], tenants: null },
  ]);
  expect(grantsOfGroups([])).toEqual([]);
});

test('the claim may be a name or a list, and is bounded with those that count first', () => {
  expect(groupsIn('ops')).toEqual(['ops']);
  expect(groupsIn(['a', 'ops', 7, null, '', { name: 'ops' }, 'ops'])).toEqual(['ops', 'a']);
  for (const claim of [undefined, null, 7, { ops: true }, '']) expect(groupsIn(claim)).toEqual([]);
  const many = groupsIn([...Array.from({ length: 500 }, (_, i) => `g${i}`), 'ops']);
  expect(many).toHaveLength(200);
  expect(many[0]).toBe('ops');
});

test('a person has the subject for an id, and the first name that may be one', () => {
  expect(userFromClaims({ sub: 'a1', name: ' Ann  Lee ', groups: ['ops'] }, 'groups')).toEqual({
    id: oidcIdOf('a1'),
    name: 'Ann  Lee',
    groups: ['ops'],
  });
  expect(
    userFromClaims({ sub: 'a1', name: 'system', preferred_username: 'x'.repeat(61), email: 'a@b.c' }, 'g')
      ?.name,
  ).toBe('a@b.c');
  expect(userFromClaims({ sub: 'a1', name: 'evil\u202eman' }, 'g')?.name).toBe('a1');
  expect(userFromClaims({ sub: 'x'.repeat(100) }, 'g')?.name).toBe('unnamed');
  for (const sub of [undefined, 7, '', 'a\nb', 'x'.repeat(181), 'é'])
    expect(userFromClaims({ sub }, 'g')).toBeNull();
});
