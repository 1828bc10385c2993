import { expect, test } from 'vitest';
import { isLoopbackHost } from '@/lib/contract/loopback-host';
import { HASH, OIDC, OUTSIDE, REFUSED, USERS } from '@/testing/security/refused-configurations';
import { type Env, readEnv } from './environment';

const REDIS = { REDIS_URL: 'redis://127.0.0.1:6379' };
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
    REDRIVE_REAUTHENTICATION_MINUTES: 10,
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

test.each([
  [{ REDRIVE_PREFX: 'jobs' }, 'REDRIVE_PREFX is not a setting: write REDRIVE_PREFIX, or remove it'],
  [{ OIDC_CLIENTID: 'x' }, 'OIDC_CLIENTID is not a setting: write OIDC_CLIENT_ID'],
  // What Kubernetes sets for a service called redrive, and what another program may have.
  [{ REDRIVE_PORT: 'tcp://10.0.0.1:3000', REDRIVE_SERVICE_HOST: '10.0.0.1', REDRIVE_BACKUP_DIR: '/x' }, ''],
])('a misspelled setting is named: %o', (given, problem) => {
  expect(problemsOf(given)).toContain(problem);
  if (problem === '') expect(problemsOf(given)).toBe('');
});

test.each([
  ['https://traces.example/trace/{traceId}?org=1', ''],
  ['http://localhost:16686/trace/{traceId}', ''],
  ['javascript:alert({traceId})', 'REDRIVE_TRACE_URL must be an http address'],
  ['https://traces.example/trace', 'REDRIVE_TRACE_URL must be an http address'],
])('a template for trace ids is an address with a place for the id: %s', (REDRIVE_TRACE_URL, problem) => {
  expect(problemsOf({ REDRIVE_TRACE_URL })).toContain(problem);
  if (problem === '') expect(problemsOf({ REDRIVE_TRACE_URL })).toBe('');
});

test.each([
  [{ REDRIVE_ENVIRONMENT: 'production', REDRIVE_ENVIRONMENT_COLOR: 'red' }, ''],
  [{ REDRIVE_ENVIRONMENT: 'Prüfung 2' }, ''],
  [{ REDRIVE_ENVIRONMENT: '<b>' }, 'REDRIVE_ENVIRONMENT must be 1 to 24 letters'],
  [{ REDRIVE_ENVIRONMENT: 'x'.repeat(25) }, 'REDRIVE_ENVIRONMENT must be 1 to 24 letters'],
  [{ REDRIVE_ENVIRONMENT_COLOR: 'pink' }, 'REDRIVE_ENVIRONMENT_COLOR must be one of gray, red'],
])('the environment has a short name and a known colour: %o', (given, problem) => {
  expect(problemsOf(given)).toContain(problem);
  if (problem === '') expect(problemsOf(given)).toBe('');
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

test.each(REFUSED)('refused: %s', (_, given, sentence) => {
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
  [
    'a path below which a proxy serves the console',
    { ...OUTSIDE, REDRIVE_USERS: USERS, PUBLIC_URL: 'https://example.com/ops/redrive/' },
    'https://example.com/ops/redrive',
  ],
])('accepted: %s', (_, given, url) => {
  expect(readEnv({ ...REDIS, ...given }).PUBLIC_URL).toBe(url);
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
