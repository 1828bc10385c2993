/** Identity providers differ: what each leaves out or refuses, what the console does then, and what it says. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { SIGN_IN_PROBLEMS, type SignInProblem } from '@/lib/contract/access/access-limits';
import { getRefusalLog } from '@/lib/server/audit/audit-refusals';
import { log } from '@/lib/server/console-log';
import { setUpConsole } from '@/testing/worlds/console-server';
import { CookieJar, type IdentityProvider, startIdentityProvider } from '@/testing/worlds/identity-provider';
import { Processes } from '@/testing/worlds/processes';
import { callApi } from '@/testing/worlds/route-caller';

const CALLBACK = '/sign-in/oidc/callback';
const ADDRESS = { kind: 'place', key: 'address unknown' } as const;
const PEOPLE = [
  { sub: 'u-ann', groups: ['redrive-admins'] },
  { sub: 'u-dan', name: 'Dan', groups: ['/redrive-admins', `x\u202e${'y'.repeat(150)}`] },
  { sub: 'u-eve', name: 'Eve', realm_access: { roles: ['redrive-admins'] } },
  { sub: 'u-far', name: 'x', groups: Array.from({ length: 300 }, (_, i) => `g${i}`) },
];

const processes = new Processes();
const world = await setUpConsole();
const providers: IdentityProvider[] = [];
const use = (idp: IdentityProvider) => vi.stubEnv('OIDC_ISSUER', idp.issuer);
const start = async (options: { groupsInIdToken?: boolean; userInfoStatus?: number }) => {
  const idp = await startIdentityProvider(processes, {
    redirectUris: [`http://127.0.0.1:3000${CALLBACK}`],
    people: PEOPLE,
    ...options,
  });
  providers.push(idp);
  return idp;
};
let usual: IdentityProvider;
beforeAll(async () => {
  usual = await start({});
});
afterAll(() => processes.stopAll());
beforeEach(async () => {
  use(usual);
  for (const [name, value] of Object.entries({
    AUTH: 'oidc',
    REDRIVE_RATE_FACTOR: '100',
    OIDC_CLIENT_ID: usual.clientId,
    OIDC_CLIENT_SECRET: usual.clientSecret,
    OIDC_GRANTS: '{"redrive-admins": [{"role": "admin"}]}',
  }))
    vi.stubEnv(name, value);
  await getRefusalLog().flush();
  await world.broker.access.attempts.forget(ADDRESS);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

interface Visit {
  idp?: IdentityProvider;
  jar?: CookieJar;
  query?: string;
  /** Changes what the browser is sent with. */
  without?: readonly string[];
  back?: (url: URL) => void;
}
async function visit(login: string, { idp = usual, jar = new CookieJar(), query = '', ...rest }: Visit = {}) {
  const call = async (path: string) => {
    const { response } = await callApi('GET', path, { headers: { cookie: jar.header() } });
    jar.take(response);
    return response;
  };
  const location = new URL((await call(`/sign-in/oidc${query}`)).headers.get('location') ?? '');
  for (const name of rest.without ?? []) location.searchParams.delete(name);
  const back =
    login === 'cancel' ? await idp.breakOff(location.href) : await idp.signIn(location.href, login);
  rest.back?.(back);
  const response = await call(`${CALLBACK}${back.search}`);
  return { jar, status: response.status, text: await response.text() };
}
const told = (problem: SignInProblem) => expect.stringContaining(SIGN_IN_PROBLEMS[problem]);
const warnings = () => vi.spyOn(log(), 'warn');
const reasonsOf = (spy: ReturnType<typeof warnings>) =>
  spy.mock.calls.flatMap(([fields]) =>
    typeof fields === 'object' && fields !== null && 'reason' in fields ? [String(fields.reason)] : [],
  );
const refusalOf = async (name: string) => {
  await world.broker.audit.collect();
  const { events } = await world.broker.audit.list({ limit: 50 });
  return events.find(({ actor, result }) => actor === name && result === 'refused');
};

test('without auth_time a re-authentication is refused with the reason, or counts by OIDC_AUTH_TIME', async () => {
  const { jar } = await visit('u-ann');
  const proof = { jar, query: '?reauthenticate=1', without: ['max_age', 'prompt'] };
  const spy = warnings();
  expect(await visit('u-ann', proof)).toMatchObject({ status: 403, text: told('no-auth-time') });
  expect(reasonsOf(spy).join()).toContain('the ID token has no auth_time');
  vi.stubEnv('OIDC_AUTH_TIME', 'optional');
  expect(await visit('u-ann', proof)).toMatchObject({ status: 200 });
  const { body } = await callApi('GET', '/api/v1/me', { headers: { cookie: jar.header() } });
  expect(Number(body.reauthenticatedUntil)).toBeGreaterThan(Date.now());
});

test('a provider deaf to prompt=login is told apart, and counts only where the time is ignored', async () => {
  const jar = new CookieJar();
  await visit('u-ann', { jar });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  try {
    // The clock of the provider is a minute behind: its auth_time is before the question.
    const proof = { jar, query: '?reauthenticate=1' };
    const spy = warnings();
    expect(await visit('u-ann', proof)).toMatchObject({ status: 403, text: told('not-asked') });
    expect(reasonsOf(spy).join()).toMatch(/auth_time is \d+ s before/);
    vi.stubEnv('OIDC_AUTH_TIME', 'optional');
    expect(await visit('u-ann', proof)).toMatchObject({ status: 403 });
    vi.stubEnv('OIDC_AUTH_TIME', 'ignored');
    expect(await visit('u-ann', proof)).toMatchObject({ status: 200 });
  } finally {
    vi.useRealTimers();
  }
});

test('a sign-in without auth_time warns once of what will be refused', async () => {
  const spy = warnings();
  for (let i = 0; i < 2; i++) await visit('u-ann', { without: ['max_age'] });
  const said = spy.mock.calls.filter(([text]) => String(text).includes('OIDC_AUTH_TIME=optional'));
  expect(said).toHaveLength(1);
});

test('cancelled, failed by the provider, without a role and unproved sign-ins are no attempts of the address', async () => {
  const { jar } = await visit('u-ann');
  const none: [string, Visit][] = [
    ['cancel', {}],
    ['cancel', { back: (url) => url.searchParams.set('error', 'server_error') }],
    ['u-far', {}],
    ['u-ann', { jar, query: '?reauthenticate=1', without: ['max_age', 'prompt'] }],
  ];
  for (const [login, options] of none)
    for (let i = 0; i < 22; i++) expect((await visit(login, options)).status).not.toBe(429);
  expect((await visit('u-ann')).status).toBe(200);
});

test('groups that grant nothing are named in log and audit log, with what is wanted', async () => {
  const spy = warnings();
  expect(await visit('u-dan')).toMatchObject({ status: 403, text: told('no-role') });
  const [reason = ''] = reasonsOf(spy);
  expect(reason).toContain('"/redrive-admins"');
  expect(reason).toContain('OIDC_GRANTS names "redrive-admins"');
  expect(reason).toContain('differ by a slash');
  expect(reason).toContain('x\\u{202e}');
  expect(reason).not.toContain('\u202e');
  expect(JSON.parse((await refusalOf('Dan'))?.after ?? '{}')).toEqual({ why: reason });
});

test('a list that is too long stays short in the log', async () => {
  const spy = warnings();
  await visit('u-far');
  expect(reasonsOf(spy)[0]).toContain('and 190 more');
  expect(reasonsOf(spy)[0]?.length).toBeLessThan(1_000);
});

test('nested groups: the refusal names the path, and OIDC_GROUPS_CLAIM takes it', async () => {
  const spy = warnings();
  expect((await visit('u-eve')).status).toBe(403);
  expect(reasonsOf(spy)[0]).toContain('OIDC_GROUPS_CLAIM=realm_access.roles');
  vi.stubEnv('OIDC_GROUPS_CLAIM', 'realm_access.roles');
  expect((await visit('u-eve')).status).toBe(200);
});

test('a userinfo endpoint that refuses ends no sign-in whose token says enough', async () => {
  for (const userInfoStatus of [403, 500]) {
    const idp = await start({ userInfoStatus });
    use(idp);
    // Groups in the token, and no name.
    expect((await visit('u-ann', { idp })).status).toBe(200);
  }
  const silent = await start({ groupsInIdToken: false, userInfoStatus: 403 });
  use(silent);
  const spy = warnings();
  expect(await visit('u-ann', { idp: silent })).toMatchObject({ status: 403, text: told('no-role') });
  expect(reasonsOf(spy)[0]).toContain('the userinfo endpoint refused');
});

test('a wrong client secret is named, with the settings to look at', async () => {
  vi.stubEnv('OIDC_CLIENT_SECRET', 'another secret');
  const idp = await start({});
  use(idp);
  const spy = warnings();
  expect((await visit('u-ann', { idp })).status).toBe(400);
  expect(reasonsOf(spy)[0]).toMatch(/invalid_client: .*OIDC_CLIENT_SECRET_FILE/);
});

test('R9: a rotated client secret holds without a restart, and a file without one is named', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'redrive-oidc-'));
  const file = join(dir, 'secret');
  vi.stubEnv('OIDC_CLIENT_SECRET', '');
  vi.stubEnv('OIDC_CLIENT_SECRET_FILE', file);
  try {
    writeFileSync(file, 'the secret of yesterday');
    const spy = warnings();
    expect((await visit('u-ann')).status).toBe(400);
    expect(reasonsOf(spy)[0]).toMatch(/invalid_client: .*OIDC_CLIENT_SECRET_FILE/);
    writeFileSync(file, `${usual.clientSecret}\n`);
    expect((await visit('u-ann')).status).toBe(200);
    // Gone between the way out and the way back.
    expect((await visit('u-ann', { back: () => writeFileSync(file, '') })).status).toBeGreaterThanOrEqual(
      400,
    );
    writeFileSync(file, usual.clientSecret);
    expect((await visit('u-ann')).status).toBe(200);
  } finally {
    rmSync(dir, { recursive: true });
  }
});
