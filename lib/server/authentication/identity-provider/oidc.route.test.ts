/** Signing in at a real identity provider, in its own process: the whole way, and everything that can be wrong on it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { SIGN_IN_PROBLEMS, type SignInProblem } from '@/lib/contract/access/access-limits';
import { setUpConsole } from '@/testing/worlds/console-server';
import { CookieJar, type IdentityProvider, startIdentityProvider } from '@/testing/worlds/identity-provider';
import { Processes } from '@/testing/worlds/processes';
import { callApi } from '@/testing/worlds/route-caller';
import { identityProvider } from './oidc-client';
import { shortReason } from './oidc-reasons';
import { encrypt, readTransaction } from './oidc-transaction';
import { oidcIdOf } from './oidc-user';

const CONSOLE = 'http://127.0.0.1:3000';
const START = '/sign-in/oidc';
const CALLBACK = '/sign-in/oidc/callback';
const PEOPLE = [
  { sub: 'u-ann', name: 'Ann Lee', groups: ['staff', 'redrive-admins'] },
  { sub: 'u-vera', name: 'Vera', groups: 'eyes' },
  { sub: 'u-nemo', name: 'Nemo', groups: ['staff', 'constructor'] },
  { sub: 'u-plain' },
];

const processes = new Processes();
const world = await setUpConsole();
let idp: IdentityProvider;
beforeAll(async () => {
  idp = await startIdentityProvider(processes, { redirectUris: [`${CONSOLE}${CALLBACK}`], people: PEOPLE });
  Object.assign(process.env, {
    AUTH: 'oidc',
    // This file is one address that signs in all the time.
    REDRIVE_RATE_FACTOR: '100',
    OIDC_ISSUER: idp.issuer,
    OIDC_CLIENT_ID: idp.clientId,
    OIDC_CLIENT_SECRET: idp.clientSecret,
    OIDC_GRANTS: JSON.stringify({
      'redrive-admins': [{ role: 'admin' }],
      eyes: [{ role: 'viewer', queues: ['mail*'] }],
    }),
  });
});
afterAll(async () => {
  await processes.stopAll();
});
beforeEach(() => world.broker.access.attempts.forget({ kind: 'place', key: 'address unknown' }));

/** A browser: what it holds of the console's cookies. */
class Browser {
  readonly jar = new CookieJar();

  async get(path: string): Promise<{ response: Response; text: string }> {
    const { response } = await callApi('GET', path, { headers: { cookie: this.jar.header() } });
    this.jar.take(response);
    return { response, text: await response.clone().text() };
  }

  async start(query = ''): Promise<string> {
    const { response } = await this.get(`${START}${query}`);
    expect(response.status).toBe(303);
    return response.headers.get('location') ?? '';
  }

  async me() {
    const { status, body } = await callApi('GET', '/api/v1/me', { headers: { cookie: this.jar.header() } });
    return { status, body };
  }
}

async function signIn(browser: Browser, login: string, query = '', at?: CookieJar) {
  const back = await idp.signIn(await browser.start(query), login, at);
  return browser.get(`${back.pathname}${back.search}`);
}

async function expectProblem(answer: { response: Response; text: string }, problem: SignInProblem) {
  expect(answer.text).toContain(SIGN_IN_PROBLEMS[problem]);
  expect(answer.text).toContain(`/sign-in?problem=${problem}`);
  expect(answer.response.status).toBeGreaterThanOrEqual(400);
  expect(answer.response.headers.getSetCookie().join()).not.toMatch(/redrive=[^;]/);
}

test('sends the browser with state, nonce and PKCE, and keeps nothing readable in the cookie', async () => {
  const browser = new Browser();
  const { response } = await browser.get(`${START}?next=/dead`);
  const location = new URL(response.headers.get('location') ?? '');
  expect(location.origin).toBe(idp.issuer);
  expect(Object.fromEntries(location.searchParams)).toMatchObject({
    response_type: 'code',
    client_id: 'redrive',
    redirect_uri: `${CONSOLE}${CALLBACK}`,
    scope: 'openid profile email',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
  });
  const cookie = response.headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/^redrive-oidc=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
  expect(cookie).not.toContain(location.searchParams.get('state') ?? '-');
  expect(response.headers.get('cache-control')).toBe('no-store');
});

test('the whole way: signed in with the rights of one’s groups, on the page one wanted', async () => {
  const browser = new Browser();
  const { response, text } = await signIn(browser, 'u-ann', '?next=%2Fdead%3Fq%3Dtype%3Aa');
  expect(response.status).toBe(200);
  expect(text).toContain('url=/dead?q=type:a');
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  const [session = '', cleared = ''] = response.headers.getSetCookie();
  expect(session).toMatch(/^redrive=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/);
  expect(cleared).toMatch(/^redrive-oidc=; .*Max-Age=0/);
  const { body } = await browser.me();
  expect(body).toMatchObject({
    id: oidcIdOf('u-ann'),
    name: 'Ann Lee',
    method: 'oidc',
    reauthentication: 'oidc',
  });
  expect(body.grants).toEqual([{ role: 'admin', queues: ['*'], tenants: null }]);
  expect(Number(body.reauthenticatedUntil)).toBeGreaterThan(Date.now());
});

test('one group as a plain word, and rights over some queues only', async () => {
  const browser = new Browser();
  await signIn(browser, 'u-vera');
  expect((await browser.me()).body.grants).toEqual([{ role: 'viewer', queues: ['mail*'], tenants: null }]);
});

test.each(['//evil.example', 'https://evil.example', '/\\evil.example'])(
  'next=%s leads home',
  async (next) => {
    const { text } = await signIn(new Browser(), 'u-ann', `?next=${encodeURIComponent(next)}`);
    expect(text).toContain('url=/"');
    expect(text).not.toContain('evil');
  },
);

test('known, but without a role: nobody is signed in, and it is on record', async () => {
  for (const login of ['u-nemo', 'u-plain']) {
    const browser = new Browser();
    await expectProblem(await signIn(browser, login), 'no-role');
    expect((await browser.me()).status).toBe(401);
  }
});

test('what is given to a person in the console counts without groups, and who is disabled stays out', async () => {
  const by = { actor: 'the test', reason: 'set up' };
  await world.broker.access.users.change(
    oidcIdOf('u-plain'),
    { grants: [{ role: 'viewer', queues: ['*'], tenants: null }] },
    by,
  );
  const browser = new Browser();
  await signIn(browser, 'u-plain');
  expect((await browser.me()).body).toMatchObject({ id: oidcIdOf('u-plain'), name: 'u-plain' });
  await world.broker.access.users.change(oidcIdOf('u-plain'), { disabled: true }, by);
  expect((await browser.me()).status).toBe(401);
  await expectProblem(await signIn(new Browser(), 'u-plain'), 'disabled');
});

test('a new sign-in ends the session the browser had, and a session planted in it is never taken up', async () => {
  const browser = new Browser();
  await signIn(browser, 'u-ann');
  const before = browser.jar.header();
  await signIn(browser, 'u-ann');
  expect(browser.jar.header()).not.toBe(before);
  expect((await callApi('GET', '/api/v1/me', { headers: { cookie: before } })).status).toBe(401);
});

test('another state, or none', async () => {
  const browser = new Browser();
  const back = await idp.signIn(await browser.start(), 'u-ann');
  const code = back.searchParams.get('code') ?? '';
  const other = new URL(back);
  other.searchParams.set('state', 'x'.repeat(43));
  await expectProblem(await browser.get(`${CALLBACK}${other.search}`), 'failed');
  await browser.start();
  await expectProblem(await browser.get(`${CALLBACK}?code=${code}`), 'failed');
});

test('a code that came to another browser, or is used twice', async () => {
  const [mine, other] = [new Browser(), new Browser()];
  const back = await idp.signIn(await mine.start(), 'u-ann');
  const address = `${CALLBACK}${back.search}`;
  await expectProblem(await new Browser().get(address), 'stale');
  await other.start();
  await expectProblem(await other.get(address), 'failed');
  const cookie = mine.jar.header();
  expect((await mine.get(address)).response.status).toBe(200);
  // The cookie is cleared, but a thief may have kept a copy: the provider gives nothing for a used code.
  const again = await callApi('GET', address, { headers: { cookie } });
  await expectProblem({ response: again.response, text: await again.response.clone().text() }, 'failed');
});

test('a code without its verifier, and a token with another nonce', async () => {
  for (const change of [{ verifier: 'v'.repeat(43) }, { nonce: 'n'.repeat(43) }]) {
    const browser = new Browser();
    const back = await idp.signIn(await browser.start(), 'u-ann');
    const transaction = readTransaction(new Headers({ cookie: browser.jar.header() }));
    if (!transaction) throw new Error('there is no transaction');
    const cookie = `redrive-oidc=${encrypt({ ...transaction, ...change })}`;
    const { response } = await callApi('GET', `${CALLBACK}${back.search}`, { headers: { cookie } });
    await expectProblem({ response, text: await response.clone().text() }, 'failed');
  }
});

test('an answer that says it is from another issuer', async () => {
  const browser = new Browser();
  const back = await idp.signIn(await browser.start(), 'u-ann');
  expect(back.searchParams.get('iss')).toBe(idp.issuer);
  back.searchParams.set('iss', 'https://evil.example');
  await expectProblem(await browser.get(`${CALLBACK}${back.search}`), 'failed');
});

test('who turns away is told so, in our words', async () => {
  const browser = new Browser();
  const back = await idp.breakOff(await browser.start('?next=/dead'));
  expect(back.searchParams.get('error')).toBe('access_denied');
  back.searchParams.set('error_description', '<script>alert(1)</script>');
  const answer = await browser.get(`${CALLBACK}${back.search}`);
  await expectProblem(answer, 'denied');
  expect(answer.text).not.toContain('script');
});

test('a look at the way back does not use the code up', async () => {
  const browser = new Browser();
  const back = await idp.signIn(await browser.start(), 'u-ann');
  const address = `${CALLBACK}${back.search}`;
  const head = await callApi('HEAD', address, { headers: { cookie: browser.jar.header() } });
  expect(head.status).toBe(405);
  expect((await browser.get(address)).response.status).toBe(200);
});

test('session id: a proof asks for the password again, only the same person gives it, and the session has a new id', async () => {
  const browser = new Browser();
  const at = new CookieJar();
  await signIn(browser, 'u-ann', '', at);
  const before = browser.jar.header();
  const location = new URL(await browser.start('?reauthenticate=1&next=/dead'));
  expect(location.searchParams.get('prompt')).toBe('login');
  expect(location.searchParams.get('max_age')).toBe('0');
  // The provider knows this browser, and asks all the same. The session's cookie does not come along: it is Strict.
  const back = await idp.signIn(location.href, 'u-ann', at);
  const transaction = browser.jar
    .header()
    .split('; ')
    .filter((pair) => pair.startsWith('redrive-oidc='))
    .join();
  const { response } = await callApi('GET', `${CALLBACK}${back.search}`, {
    headers: { cookie: transaction },
  });
  expect(response.status).toBe(200);
  expect(await response.clone().text()).toContain('url=/dead');
  const [renewed = ''] = response.headers.getSetCookie();
  expect(renewed).toMatch(/^redrive=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/);
  expect((await callApi('GET', '/api/v1/me', { headers: { cookie: before } })).status).toBe(401);
  browser.jar.take(response);
  expect(await browser.me()).toMatchObject({ status: 200, body: { id: oidcIdOf('u-ann') } });

  const other = await idp.signIn(await browser.start('?reauthenticate=1'), 'u-vera');
  await expectProblem(await browser.get(`${CALLBACK}${other.search}`), 'other-user');
});

test('a sign-in of before is no proof, whatever somebody takes out of the address', async () => {
  const browser = new Browser();
  const at = new CookieJar();
  await signIn(browser, 'u-ann', '', at);
  // A minute later, by our clock; the provider still knows when the password was given.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  try {
    for (const maxAge of ['3600', null]) {
      const location = new URL(await browser.start('?reauthenticate=1'));
      location.searchParams.delete('prompt');
      if (maxAge === null) location.searchParams.delete('max_age');
      else location.searchParams.set('max_age', maxAge);
      const back = await idp.signIn(location.href, 'nobody is asked', at);
      const problem = maxAge === null ? 'no-auth-time' : 'not-asked';
      await expectProblem(await browser.get(`${CALLBACK}${back.search}`), problem);
    }
  } finally {
    vi.useRealTimers();
  }
});

test('who the provider lets in without a question has proved nothing', async () => {
  const at = new CookieJar();
  await signIn(new Browser(), 'u-ann', '', at);
  const reauthenticatedUntil = async (browser: Browser) =>
    Number((await browser.me()).body.reauthenticatedUntil);
  // Twenty minutes later the provider still knows them, and says when it asked.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_200_000 });
  try {
    const later = new Browser();
    await signIn(later, 'nobody is asked', '', at);
    expect((await later.me()).status).toBe(200);
    expect(await reauthenticatedUntil(later)).toBeGreaterThan(0);
    expect(await reauthenticatedUntil(later)).toBeLessThan(Date.now());
    const cancel = await callApi('POST', '/api/v1/queues/default/jobs/one/cancel', {
      body: { reason: 'x' },
      headers: { cookie: later.jar.header() },
    });
    expect(cancel.body.code).toBe('REAUTHENTICATION_REQUIRED');
  } finally {
    vi.useRealTimers();
  }
  // A provider that does not say, because somebody took the question out of the address.
  const silent = new Browser();
  const location = new URL(await silent.start());
  location.searchParams.delete('max_age');
  const back = await idp.signIn(location.href, 'u-ann');
  expect((await silent.get(`${back.pathname}${back.search}`)).response.status).toBe(200);
  expect(await reauthenticatedUntil(silent)).toBe(0);
});

test('groups that only the userinfo endpoint tells', async () => {
  const quiet = await startIdentityProvider(processes, {
    redirectUris: [`${CONSOLE}${CALLBACK}`],
    people: PEOPLE,
    groupsInIdToken: false,
  });
  const before = process.env.OIDC_ISSUER;
  process.env.OIDC_ISSUER = quiet.issuer;
  try {
    const browser = new Browser();
    const back = await quiet.signIn(await browser.start(), 'u-ann');
    expect((await browser.get(`${CALLBACK}${back.search}`)).response.status).toBe(200);
    expect((await browser.me()).body).toMatchObject({ name: 'Ann Lee', grants: [{ role: 'admin' }] });
  } finally {
    process.env.OIDC_ISSUER = before;
  }
});

test('too many failures from one address', async () => {
  const browser = new Browser();
  let last = await browser.get(`${CALLBACK}?code=x`);
  for (let i = 0; i < 21; i += 1) {
    await browser.start();
    last = await browser.get(`${CALLBACK}?code=x&state=y`);
  }
  await expectProblem(last, 'too-many');
});

describe('signing out', () => {
  const leave = async (browser: Browser) => {
    const { status, body, response } = await callApi('DELETE', '/api/v1/session', {
      headers: { cookie: browser.jar.header() },
    });
    expect(status).toBe(200);
    browser.jar.take(response);
    return body as { ended: number; continueAt: string | null };
  };
  /** Who the provider lets in without a question: Vera answers where it asks. */
  const whoComesIn = async (at: CookieJar) => {
    const next = new Browser();
    await signIn(next, 'u-vera', '', at);
    return (await next.me()).body.name;
  };

  test('logout: it goes on to the provider, which forgets the browser, and comes back with the state that was sent', async () => {
    const [browser, at] = [new Browser(), new CookieJar()];
    await signIn(browser, 'u-ann', '', at);
    expect(await whoComesIn(at)).toBe('Ann Lee');
    const copy = browser.jar.header();
    const { ended, continueAt } = await leave(browser);
    expect(ended).toBe(1);
    expect((await callApi('GET', '/api/v1/me', { headers: { cookie: copy } })).status).toBe(401);
    const location = new URL(continueAt ?? '');
    expect(location.origin).toBe(idp.issuer);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      client_id: 'redrive',
      logout_hint: 'u-ann',
      post_logout_redirect_uri: `${CONSOLE}/sign-in/oidc/signed-out`,
      state: expect.stringMatching(/^[\w-]{43}$/),
    });
    const back = await idp.signOut(location.href, at);
    expect(back.searchParams.get('state')).toBe(location.searchParams.get('state'));
    const { response } = await browser.get(`${back.pathname}${back.search}`);
    expect([response.status, response.headers.get('location')]).toEqual([303, '/sign-in?signed-out=1']);
    expect(browser.jar.header()).not.toContain('redrive-out');
    expect(await whoComesIn(at)).toBe('Vera');
    // Sent once more, or to another browser, it says nothing.
    for (const other of [browser, new Browser()]) {
      const answer = await other.get(`${back.pathname}${back.search}`);
      expect(answer.response.headers.get('location')).toBe('/sign-in');
    }
  });

  test('logout: another state, and none, is not believed', async () => {
    const browser = new Browser();
    await signIn(browser, 'u-ann');
    await leave(browser);
    const cookie = browser.jar.header();
    expect(cookie).toMatch(/redrive-out=[\w-]{43}/);
    for (const query of ['?state=another', '?state=', '']) {
      const { response } = await callApi('GET', `/sign-in/oidc/signed-out${query}`, { headers: { cookie } });
      expect(response.headers.get('location')).toBe('/sign-in');
    }
  });

  test('logout: turned off, for people of another way, and once it is over, it ends here', async () => {
    const browser = new Browser();
    await signIn(browser, 'u-ann');
    process.env.OIDC_SIGN_OUT = 'console';
    try {
      expect(await leave(browser)).toEqual({ ended: 1, continueAt: null });
    } finally {
      delete process.env.OIDC_SIGN_OUT;
    }
    expect(await leave(browser)).toEqual({ ended: 0, continueAt: null });
  });
});

test('a provider that is down: this way says so, and comes back by itself; logout: the session here ends all the same', async () => {
  const port = Number(new URL(idp.issuer).port);
  const browser = new Browser();
  const leaver = new Browser();
  await signIn(leaver, 'u-ann');
  const location = await browser.start();
  const back = await idp.signIn(location, 'u-ann');
  await idp.process.stop();
  await expectProblem(await browser.get(`${CALLBACK}${back.search}`), 'unavailable');

  // A console that never knew it.
  process.env.OIDC_CLIENT_AUTH = 'post';
  await expectProblem(await new Browser().get(`${START}?next=/dead`), 'unavailable');
  // The log names the real cause.
  const problem: unknown = await identityProvider().catch((error: unknown) => error);
  expect(shortReason((problem as Error).cause)).toContain('ECONNREFUSED');
  const headers = { cookie: leaver.jar.header() };
  const left = await callApi('DELETE', '/api/v1/session', { headers });
  expect(left).toMatchObject({ status: 200, body: { ended: 1, continueAt: null } });
  expect((await leaver.me()).status).toBe(401);
  process.env.OIDC_CLIENT_AUTH = 'basic';
  idp = await startIdentityProvider(processes, {
    redirectUris: [`${CONSOLE}${CALLBACK}`],
    people: PEOPLE,
    port,
  });
  const again = new Browser();
  expect((await signIn(again, 'u-ann')).response.status).toBe(200);
  expect((await again.me()).status).toBe(200);
});

test('switched off: there is no such page', async () => {
  process.env.AUTH = 'none';
  try {
    await expectProblem(await new Browser().get(START), 'off');
    await expectProblem(await new Browser().get(`${CALLBACK}?code=x`), 'off');
  } finally {
    process.env.AUTH = 'oidc';
  }
});
