import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearedCookie, digestOf, newSecret, readSessionCookie, sessionCookie } from './session-cookie';

beforeEach(() => vi.stubEnv('REDIS_URL', 'redis://127.0.0.1:6379'));
afterEach(() => vi.unstubAllEnvs());
const withTls = () =>
  vi
    .stubEnv('PUBLIC_URL', 'https://redrive.example.com')
    .stubEnv('AUTH', 'local')
    .stubEnv('REDRIVE_USERS_FILE', 'u.json');
const read = (cookie: string) => readSessionCookie(new Headers({ cookie }));

test('on plain http of this machine', () => {
  expect(sessionCookie('v', 90.9)).toBe('redrive=v; Path=/; Max-Age=90; HttpOnly; SameSite=Strict');
  expect(clearedCookie()).toBe('redrive=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict');
});

test('over TLS it is bound to the host, and never sent without TLS', () => {
  withTls();
  expect(sessionCookie('v', 60)).toBe(
    '__Host-redrive=v; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure',
  );
  const secret = newSecret();
  expect(read(`redrive=${secret}`)).toBeNull();
  expect(read(`a=1; __Host-redrive=${secret}; b=2`)).toBe(secret);
});

test('below a path the browser sends it to that path only', () => {
  withTls().stubEnv('PUBLIC_URL', 'https://example.com/ops/redrive');
  const secret = newSecret();
  expect(sessionCookie(secret, 60)).toBe(
    `__Secure-redrive.ops.redrive=${secret}; Path=/ops/redrive; Max-Age=60; HttpOnly; SameSite=Strict; Secure`,
  );
  expect(clearedCookie()).toContain('__Secure-redrive.ops.redrive=; Path=/ops/redrive; Max-Age=0');
  // Beside the cookie of a console at the root of the host.
  expect(read(`__Host-redrive=${newSecret()}; __Secure-redrive.ops.redrive=${secret}`)).toBe(secret);
  expect(read(`__Host-redrive=${secret}`)).toBeNull();
});

test('a secret is 32 random bytes, and its digest says nothing of it', () => {
  const secret = newSecret();
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  expect(newSecret()).not.toBe(secret);
  expect(digestOf(secret)).toMatch(/^[0-9a-f]{64}$/);
});

test('what was not made here is not looked up, and of two cookies none is believed', () => {
  const secret = newSecret();
  expect(read(`redrive=${secret}`)).toBe(secret);
  for (const cookie of [
    '',
    'redrive=',
    'redrive=x',
    `redrive=${secret}x`,
    `redrive=${secret.slice(1)}!`,
    `Redrive=${secret}`,
  ])
    expect(read(cookie)).toBeNull();
  expect(read(`redrive=${secret}; redrive=${newSecret()}`)).toBeNull();
  expect(read(`redrive=${secret}; filler=${'x'.repeat(17_000)}`)).toBeNull();
});
