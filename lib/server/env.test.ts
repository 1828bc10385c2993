import { expect, test } from 'vitest';
import { type Env, isLoopbackHost, readEnv } from './env';

const REDIS = { REDIS_URL: 'redis://127.0.0.1:6379' };
const HASH = `$argon2id$v=19$m=19456,t=2,p=1$${'c2FsdHNhbHRzYWx0'}$${'A'.repeat(43)}`;
const USERS = JSON.stringify({ users: [{ name: 'Ann', hash: HASH, grants: [{ role: 'admin' }] }] });
const OIDC = { OIDC_ISSUER: 'https://id.example.com/realm', OIDC_CLIENT_ID: 'redrive' };
const OUTSIDE = { HOST: '0.0.0.0', PUBLIC_URL: 'https://redrive.example.com' };
const problemsOf = (given: Record<string, string>): string => {
  try {
    readEnv({ ...REDIS, ...given });
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

test('defaults are safe', () => {
  expect(readEnv(REDIS)).toMatchObject({
    HOST: '127.0.0.1',
    PORT: 3000,
    REDRIVE_PREFIX: 'rd',
    REDRIVE_LAB: 'off',
    REDRIVE_ALLOW_EVICTION: 'no',
    AUTH: ['link'],
    TRUST_PROXY: 0,
    REDRIVE_SESSION_IDLE_MINUTES: 60,
    REDRIVE_SESSION_MAX_HOURS: 12,
    REDRIVE_PROOF_MINUTES: 10,
  } satisfies Partial<Env>);
});

test('every problem is named at once, with the way to mend it', () => {
  const problems = () =>
    readEnv({ HOST: '0.0.0.0', PORT: 'x', REDRIVE_PREFIX: 'a:b', REDRIVE_LAB: 'maybe', AUTH: 'none, magic' });
  for (const name of [
    'REDIS_URL is missing',
    'PORT must be',
    'REDRIVE_PREFIX must start',
    'REDRIVE_LAB must be on or off',
    'AUTH must be a list of these',
    'AUTH=none is for this machine only: HOST must be a loopback',
    'PUBLIC_URL is missing',
  ])
    expect(problems).toThrow(name);
});

test('an empty variable is one that was not set', () => {
  expect(readEnv({ REDIS_URL: '/tmp/redis.sock', PORT: '', AUTH: '', PUBLIC_URL: '' }).PORT).toBe(3000);
});

test('what changed since the last look is seen', () => {
  expect(readEnv({ ...REDIS, PORT: '4000' }).PORT).toBe(4000);
  expect(readEnv({ ...REDIS, PORT: '4001' }).PORT).toBe(4001);
});

test.each([
  ['nothing, on this machine', {}, ['link']],
  ['users', { REDRIVE_USERS: USERS }, ['local']],
  ['a file of users', { REDRIVE_USERS_FILE: 'users.json' }, ['local']],
  ['an identity provider', OIDC, ['oidc']],
  ['both', { REDRIVE_USERS: USERS, ...OIDC }, ['local', 'oidc']],
  ['both, for others', { REDRIVE_USERS: USERS, ...OIDC, ...OUTSIDE }, ['local', 'oidc']],
  ['what AUTH says', { AUTH: 'link, local', REDRIVE_USERS: USERS }, ['link', 'local']],
  ['AUTH=none', { AUTH: 'none' }, ['none']],
])('ways in with %s', (_, given, ways) => {
  expect(readEnv({ ...REDIS, ...given }).AUTH).toEqual(ways);
});

test.each([
  ['no way in for others', OUTSIDE, 'there is no way to sign in. Configure one: users'],
  ['nobody asked, for others', { ...OUTSIDE, AUTH: 'none' }, 'AUTH=none is for this machine only'],
  ['a link for others', { ...OUTSIDE, AUTH: 'link' }, 'AUTH=link is for this machine only'],
  [
    'a link beside users, for others',
    { ...OUTSIDE, AUTH: 'link,local', REDRIVE_USERS: USERS },
    'AUTH=link is for this machine only',
  ],
  [
    'nobody asked, behind a proxy for others',
    { AUTH: 'none', PUBLIC_URL: 'https://redrive.example.com' },
    'PUBLIC_URL says that others reach the console',
  ],
  ['the default link behind a proxy', { TRUST_PROXY: '1' }, 'TRUST_PROXY says that a proxy brings others'],
  [
    'nobody asked, under names of others',
    { AUTH: 'none', REDRIVE_ALLOWED_HOSTS: 'localhost:8080,redrive.internal' },
    'REDRIVE_ALLOWED_HOSTS may then hold loopback names only',
  ],
  ['none with another', { AUTH: 'none,local', REDRIVE_USERS: USERS }, 'AUTH=none stands alone'],
  ['local without users', { AUTH: 'local' }, 'REDRIVE_USERS_FILE is missing'],
  ['oidc without an issuer', { AUTH: 'oidc' }, 'OIDC_ISSUER is missing'],
  ['oidc without a client', { OIDC_ISSUER: 'https://id.example.com' }, 'OIDC_CLIENT_ID is missing'],
  [
    'an issuer without TLS',
    { ...OIDC, OIDC_ISSUER: 'http://id.example.com' },
    'OIDC_ISSUER must be the https://',
  ],
  [
    'passwords readable on the network',
    { ...OUTSIDE, REDRIVE_USERS: USERS, PUBLIC_URL: 'http://redrive.example.com' },
    'accept that with REDRIVE_ALLOW_HTTP=yes',
  ],
  [
    'a public address that is no site',
    { PUBLIC_URL: 'https://redrive.example.com/console' },
    'PUBLIC_URL must be like https://redrive.example.com, without a path',
  ],
  ['no public address', { HOST: '0.0.0.0', REDRIVE_USERS: USERS }, 'PUBLIC_URL is missing'],
  ['two sources', { REDRIVE_USERS: USERS, REDRIVE_USERS_FILE: 'u.json' }, 'are both set: set one of them'],
  ['users that are no JSON', { REDRIVE_USERS: 'ann:secret' }, 'REDRIVE_USERS is not JSON'],
  ['a short key', { REDRIVE_AUDIT_KEY: 'short' }, 'REDRIVE_AUDIT_KEY must be at least 32'],
  ['a scope without openid', { ...OIDC, OIDC_SCOPES: 'profile' }, 'OIDC_SCOPES must hold openid'],
  ['grants of no role', { ...OIDC, OIDC_GRANTS: '{"ops":[{"role":"root"}]}' }, 'OIDC_GRANTS at ops.0.role'],
])('refused: %s', (_, given, sentence) => {
  expect(problemsOf(given)).toContain(sentence);
});

test.each([
  ['a loopback name over http', { PUBLIC_URL: 'http://localhost:3000' }, 'http://localhost:3000'],
  ['TLS in front', { ...OUTSIDE, REDRIVE_USERS: USERS, TRUST_PROXY: '1' }, 'https://redrive.example.com'],
  [
    'http that somebody accepted',
    { ...OUTSIDE, ...OIDC, PUBLIC_URL: 'http://redrive.example.com/', REDRIVE_ALLOW_HTTP: 'yes' },
    'http://redrive.example.com',
  ],
])('accepted: %s', (_, given, origin) => {
  expect(readEnv({ ...REDIS, ...given }).PUBLIC_URL).toBe(origin);
});

test('what is wrong with a user is said without what is secret of them', () => {
  const users = JSON.stringify({
    users: [{ name: 'Ann', hash: 'hunter2hunter2', grants: [{ role: 'admin' }] }],
  });
  const problem = problemsOf({ REDRIVE_USERS: users });
  expect(problem).toContain('REDRIVE_USERS at users.0.hash: is no argon2id hash');
  expect(problem).not.toContain('hunter2');
  const both = JSON.stringify({
    users: ['Ann', 'ANN'].map((name) => ({ name, hash: HASH, grants: [{ role: 'viewer' }] })),
  });
  expect(problemsOf({ REDRIVE_USERS: both })).toContain('two users have the same name');
});

test.each(['127.0.0.1', '127.9.9.9', 'localhost', '::1', '[::1]'])('%s is this machine', (host) =>
  expect(isLoopbackHost(host)).toBe(true),
);
test.each(['0.0.0.0', '10.0.0.1', 'localhost.evil.example', '127.0.0.1.evil.example', '', '1127.0.0.1'])(
  '%j is not',
  (host) => expect(isLoopbackHost(host)).toBe(false),
);
