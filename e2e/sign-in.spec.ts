/** Getting in and out in the browser: by password, at an identity provider, by the one-time link; and what each sees then. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { createBroker } from '../testing/create-broker';
import { startIdentityProvider } from '../testing/worlds/identity-provider';
import { Processes, portFree } from '../testing/worlds/processes';
import { type RealConsole, startRealConsole } from '../testing/worlds/real-console';
import { enqueueMails } from './api-requests';
import { objections } from './axe';
import { ANN, type E2ePerson, openAccountMenu, signIn, stateOf, usersJson, VERA } from './user-pages';

// Everybody here comes as they are.
test.use({ storageState: { cookies: [], origins: [] } });

// Consoles of their own have to come up.
test.describe.configure({ timeout: 120_000 });

const processes = new Processes();
const redisUrl = () => process.env.REDRIVE_E2E_REDIS_URL ?? '';
/** Of a prefix of its own: whoever is signed out here is signed out of nothing else. */
let own: RealConsole;
const PROOF_MINUTES = 0.1;
test.beforeAll(async () => {
  own = await startRealConsole(processes, {
    redisUrl: redisUrl(),
    users: [ANN, VERA],
    env: { REDRIVE_PREFIX: 'sign', REDRIVE_REAUTHENTICATION_MINUTES: String(PROOF_MINUTES) },
    name: 'the console of the sign-in tests',
  });
});
test.afterAll(() => processes.stopAll());

const form = (page: Page) => ({
  name: page.getByLabel('Name'),
  password: page.getByLabel('Password', { exact: true }),
  submit: page.getByRole('button', { name: 'Sign in' }),
});
async function enter(page: Page, { name, password }: E2ePerson): Promise<void> {
  // What is typed before the page is alive, it does not hear of.
  await expect(form(page).submit).toBeEnabled();
  await form(page).name.fill(name);
  await form(page).password.fill(password);
  await form(page).submit.click();
}
const menu = (page: Page, person: E2ePerson) => page.getByRole('button', { name: `You are ${person.name}` });
const pageOf = async (browser: Browser, person: E2ePerson): Promise<Page> =>
  (await browser.newContext({ baseURL: own.url, storageState: await signIn(own.url, person) })).newPage();

test('a wrong password is refused, the right one leads to where one was going', async ({ page }) => {
  await page.goto(`${own.url}/dead?q=type%3Aemail.send&view=rows`);
  await expect(page).toHaveURL(/\/sign-in\?next=%2Fdead/);
  await enter(page, { ...ANN, password: 'not the password of ann' });
  await expect(page.getByRole('alert').getByText('Wrong name or password.')).toBeVisible();
  await expect(form(page).password).toBeFocused();
  await expect(form(page).password).toHaveValue('');
  await form(page).password.fill(ANN.password);
  await page.getByRole('button', { name: 'Show the password' }).click();
  await expect(form(page).password).toHaveAttribute('type', 'text');
  await page.keyboard.press('Tab');
  await form(page).password.press('Enter');
  await expect(page).toHaveURL(`${own.url}/dead?q=type%3Aemail.send&view=rows`);
  await expect(menu(page, ANN)).toBeVisible();
});

test('next leads nowhere but to a page of this console', async ({ browser }) => {
  for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example', 'https:evil.example']) {
    const context = await browser.newContext({ baseURL: own.url });
    const page = await context.newPage();
    await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
    await enter(page, VERA);
    await expect(menu(page, VERA)).toBeVisible();
    expect(page.url()).toBe(`${own.url}/`);
    await context.close();
  }
});

test('signing out ends the session, and nothing is left to go back to', async ({ browser }) => {
  const page = await pageOf(browser, ANN);
  const [cookie] = await page.context().cookies();
  await page.goto('/dead');
  await page.goto('/operations');
  await openAccountMenu(page, ANN.name);
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(form(page).name).toBeVisible();
  await page.goBack();
  await expect(form(page).name).toBeVisible();
  await expect(page.getByRole('navigation')).toHaveCount(0);
  const copied = await fetch(`${own.url}/api/v1/queues`, {
    headers: { cookie: `${cookie?.name}=${cookie?.value}` },
  });
  expect(copied.status).toBe(401);
});

test('one sees where one is signed in, and ends a session there', async ({ browser }) => {
  const [here, there] = [await pageOf(browser, ANN), await pageOf(browser, ANN)];
  // A third one, so that some are left elsewhere when one has ended.
  await signIn(own.url, ANN);
  await there.goto('/workers');
  await expect(there.locator('[data-slot=connection][data-kind=live]')).toBeVisible();
  await here.goto('/');
  await openAccountMenu(here, ANN.name);
  await here.getByRole('menuitem', { name: 'Sessions…' }).click();
  const dialog = here.getByRole('dialog', { name: 'Your sessions' });
  await expect(dialog.getByText('current', { exact: true })).toBeVisible();
  expect(await objections(here)).toEqual([]);
  await dialog
    .getByRole('button', { name: /^End the session/ })
    .first()
    .click();
  await expect(here.getByText('Session ended')).toBeVisible();
  await dialog.getByRole('button', { name: 'Sign out other sessions', exact: true }).click();
  await expect(dialog.getByRole('listitem')).toHaveCount(1);
  await expect(there.getByRole('dialog', { name: 'Your session has ended' })).toBeVisible();
  await here.keyboard.press('Escape');
  await expect(menu(here, ANN)).toBeVisible();
});

test('a session that ends under a page asks for the password, and gives the page back as it was', async ({
  browser,
}) => {
  const broker = createBroker({ url: redisUrl(), prefix: 'sign' });
  await broker.enqueue('mail', { jobType: 'email.send', payload: '{}' });
  broker.close();
  const page = await pageOf(browser, ANN);
  await page.goto('/queues/mail');
  await expect(page.locator('[data-slot=connection][data-kind=live]')).toBeVisible();
  await page.getByRole('button', { name: 'Enqueue a job' }).click();
  const draft = page.getByRole('dialog').getByLabel('Payload');
  await draft.fill('{"kept": true}');
  const requests: string[] = [];
  await page.context().request.delete('/api/v1/session', { data: {} });
  const ended = page.getByRole('dialog', { name: 'Your session has ended' });
  await expect(ended).toBeVisible();
  // The router may still be fetching what lies behind links; that is the frame of pages, without data.
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) requests.push(pathname);
  });
  // Nothing of the page is to be seen, and it asks for nothing but whether somebody is there again.
  const veil = await page.evaluate(() => {
    const top = document.elementFromPoint(5, 5);
    return top ? getComputedStyle(top).backgroundColor : '';
  });
  expect(veil).toMatch(/^rgb\(/);
  expect(await objections(page)).toEqual([]);
  const password = ended.getByLabel(`Password of ${ANN.name}`);
  await password.fill('something else entirely');
  // Whether somebody is there again is asked while one types.
  for (let asked = 0; asked < 2; asked += 1)
    await page.waitForResponse((response) => response.url().endsWith('/api/v1/me'));
  await expect(password).toHaveValue('something else entirely');
  await ended.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(ended.getByRole('alert')).toContainText('Wrong name or password');
  expect(requests).toContain('/api/v1/session');
  expect(requests.filter((path) => !['/api/v1/session', '/api/v1/me'].includes(path))).toEqual([]);
  await password.fill(ANN.password);
  await ended.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(ended).toBeHidden();
  await expect(draft).toHaveValue('{"kept": true}');
  await page.getByRole('dialog').getByRole('button', { name: 'Enqueue' }).click();
  await expect(page.getByText(/^Enqueued/).first()).toBeVisible();
  await expect(page.locator('[data-slot=connection][data-kind=live]')).toBeVisible();
});

test('what deletes asks once more who one is, then goes on by itself', async ({ browser }) => {
  const broker = createBroker({ url: redisUrl(), prefix: 'sign' });
  const [job] = [await broker.enqueue('mail', { jobType: 'email.send', payload: '{}' })];
  broker.close();
  const page = await pageOf(browser, ANN);
  await page.goto(`/queues/mail/jobs/${job?.jobId}`);
  // Until the proof that signing in was has run out.
  const me = async () => (await page.request.get('/api/v1/me')).json();
  await expect
    .poll(async () => (await me()).reauthenticatedUntil < Date.now(), { timeout: 30_000 })
    .toBe(true);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/cancel')) sent.push(request.headers()['idempotency-key'] ?? '');
  });
  await page.getByRole('button', { name: 'Cancel' }).click();
  const ask = page.getByRole('alertdialog');
  await ask.getByRole('button', { name: 'Cancel' }).last().click();
  const proof = page.getByRole('dialog', { name: 'Confirm your identity' });
  await expect(proof.getByLabel(`Password of ${ANN.name}`)).toBeFocused();
  expect(await objections(page)).toEqual([]);

  // Turning away leaves everything as it was, with the reason.
  await proof.getByRole('button', { name: 'Cancel' }).click();
  await expect(ask.getByRole('alert')).toContainText('Confirm your identity');
  await ask.getByRole('button', { name: 'Cancel' }).last().click();
  await proof.getByLabel(`Password of ${ANN.name}`).fill('something else entirely');
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await expect(proof.getByRole('alert')).toContainText('Wrong password');
  await proof.getByLabel(`Password of ${ANN.name}`).fill(ANN.password);
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await expect(proof).toBeHidden();
  await expect(ask).toBeHidden();
  await expect(page.getByText('Cancelled', { exact: true }).first()).toBeVisible();
  const [, second, third] = sent;
  expect([sent.length, second]).toEqual([3, third]);
});

test('session id: it changes with a proof, and other tabs of the browser go on without being asked to sign in', async ({
  browser,
}) => {
  const page = await pageOf(browser, ANN);
  await page.goto('/dead');
  const other = await page.context().newPage();
  // Whatever is shown to have ended, and be it for a moment.
  await other.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { seenEnded: seen });
    new MutationObserver(() => {
      const text = document.body?.innerText ?? '';
      if (text.includes('Your session has ended')) seen.push(text.slice(0, 200));
    }).observe(document, { childList: true, subtree: true });
  });
  let streams = 0;
  let answers = 0;
  other.on('request', (request) => {
    if (request.url().endsWith('/api/v1/stream')) streams += 1;
  });
  await other.goto('/');
  await expect.poll(() => streams).toBe(1);
  const cookieOf = async () =>
    (await page.context().cookies()).find(({ name }) => name === 'redrive')?.value ?? '';
  const before = await cookieOf();
  other.on('response', (response) => {
    if (response.url().endsWith('/api/v1/me') && response.ok()) answers += 1;
  });
  const proved = await page.evaluate(async (password) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ password });
    return (await fetch('/api/v1/session/reauthentication', { method: 'POST', headers, body })).status;
  }, ANN.password);
  expect(proved).toBe(200);
  expect(await cookieOf()).not.toBe(before);
  // The stream of the old id ends; the tab opens another by itself.
  await expect.poll(() => streams, { timeout: 20_000 }).toBe(2);
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible();
  await expect.poll(() => answers).toBeGreaterThan(0);
  expect(await other.evaluate(() => (window as unknown as { seenEnded: string[] }).seenEnded)).toEqual([]);
  expect(new URL(other.url()).pathname).toBe('/');
});

test('password change: in the menu, with the other browser signed out and the new one good', async ({
  browser,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'redrive-e2e-users-'));
  const file = join(folder, 'users.json');
  writeFileSync(file, await usersJson([ANN]), { mode: 0o600 });
  const console_ = await startRealConsole(processes, {
    redisUrl: redisUrl(),
    env: { REDRIVE_PREFIX: 'passwords', AUTH: 'local', REDRIVE_USERS_FILE: file },
    name: 'the console that writes its users file',
  });
  const NEW = 'violet kettle harbor nineteen';
  try {
    const come = async () =>
      (
        await browser.newContext({
          baseURL: console_.url,
          storageState: await signIn(console_.url, ANN),
          viewport: { width: 390, height: 844 },
        })
      ).newPage();
    const [here, there] = [await come(), await come()];
    await Promise.all([here.goto('/'), there.goto('/')]);
    await openAccountMenu(here, ANN.name);
    await here.getByRole('menuitem', { name: 'Change password…' }).click();
    const dialog = here.getByRole('dialog', { name: 'Change password' });
    const submit = dialog.getByRole('button', { name: 'Change password' });
    const fill = async (current: string, next: string) => {
      await dialog.getByLabel('Current password').fill(current);
      await dialog.getByLabel('New password').fill(next);
    };
    await expect(dialog.getByLabel('Current password')).toBeFocused();
    await fill(ANN.password, 'passwordpassword');
    // Whether tokens end is nobody's but the person's to say.
    await expect(submit).toBeDisabled();
    await dialog.getByRole('radio', { name: 'Keep' }).click();
    await submit.click();
    await expect(dialog.getByRole('alert')).toContainText('too easy to guess');
    expect(await objections(here)).toEqual([]);
    await fill('something else entirely', NEW);
    await submit.click();
    await expect(dialog.getByRole('alert')).toContainText('The current password is wrong');
    await fill(ANN.password, NEW);
    await submit.click();
    await expect(here.getByText('1 other session and 0 API tokens ended.')).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(there.getByRole('dialog', { name: 'Your session has ended' })).toBeVisible();
    await here.goto('/dead');
    await expect(menu(here, ANN)).toBeVisible();
    await expect(signIn(console_.url, ANN)).rejects.toThrow();
    await signIn(console_.url, { ...ANN, password: NEW });
    // A console that may not write the file names the command.
    const reader = await pageOf(browser, ANN);
    await reader.goto('/');
    await openAccountMenu(reader, ANN.name);
    await reader.getByRole('menuitem', { name: 'Change password…' }).click();
    await expect(reader.getByText(`npm run user -- passwd "${ANN.name}"`)).toBeVisible();
    expect(await objections(reader)).toEqual([]);
  } finally {
    await console_.process.stop();
    rmSync(folder, { recursive: true });
  }
});

test('a first click from another site, which brings no cookie, still arrives', async ({ browser }) => {
  // localhost and 127.0.0.1 are two sites.
  const url = own.url.replace('127.0.0.1', 'localhost');
  const elsewhere = createServer((_request, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end(`<title>Chat</title><a href="${url}/dead?q=code%3AE1">Look at this</a>`),
  );
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  try {
    const { cookies } = await signIn(own.url, ANN);
    const context = await browser.newContext({
      storageState: { origins: [], cookies: cookies.map((cookie) => ({ ...cookie, domain: 'localhost' })) },
    });
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`);
    const visited: string[] = [];
    page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname));
    await page.getByRole('link', { name: 'Look at this' }).click();
    await expect(menu(page, ANN)).toBeVisible();
    expect(page.url()).toBe(`${url}/dead?q=code%3AE1`);
    expect(visited).toContain('/sign-in');
    await context.close();
  } finally {
    elsewhere.closeAllConnections();
    elsewhere.close();
  }
});

test('a viewer sees everything and is offered nothing that would be refused', async ({
  browser,
  baseURL,
}) => {
  test.setTimeout(240_000);
  const ann = await browser.newContext({ baseURL, storageState: stateOf(ANN) });
  await enqueueMails(ann.request, 2);
  await ann.close();
  const context = await browser.newContext({ baseURL, storageState: stateOf(VERA) });
  const page = await context.newPage();
  for (const path of ['/', '/queues/default', '/dead', '/dead?view=rows', '/operations', '/schedules']) {
    await page.goto(path);
    await expect(page.locator('[data-slot=connection][data-kind=live]')).toBeVisible();
    await expect(page.locator('[data-slot=skeleton]')).toHaveCount(0);
    await expect(page.getByRole('checkbox')).toHaveCount(0);
    await expect(
      page.getByRole('button', {
        name: /Pause|Drain|Enqueue|Reclaim|Re-drive|New operation|New schedule|All jobs|Purge|Delete/,
      }),
    ).toHaveCount(0);
    expect(await objections(page), path).toEqual([]);
  }
  // Keys are not buttons: they say why nothing happens.
  await page.goto('/dead?view=rows');
  if ((await page.locator('[data-row-link]').count()) > 0) {
    // Rows stand in the HTML before their keys work.
    await expect(async () => {
      await page.keyboard.press('j');
      await page.keyboard.press('r');
      await expect(page.getByText('This needs the permission "operate"').first()).toBeVisible({
        timeout: 2_000,
      });
    }).toPass({ timeout: 30_000 });
  }
  await page.goto('/queues/default/settings');
  await expect(page.getByText('These settings are read-only for you.')).toBeVisible();
  await expect(page.getByLabel('Depth limit', { exact: true })).toBeDisabled();
  await page.goto('/lab');
  await expect(page.getByText('Read-only: the lab acts on all queues.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Audit log' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Access' })).toHaveCount(0);
  await context.close();
});

for (const [look, options] of [
  ['light, wide', { colorScheme: 'light', viewport: { width: 1440, height: 900 } }],
  ['dark, phone', { colorScheme: 'dark', viewport: { width: 390, height: 844 } }],
] as const)
  test(`the sign-in page is accessible by keyboard alone (${look})`, async ({ browser }) => {
    const context = await browser.newContext({ baseURL: own.url, reducedMotion: 'reduce', ...options });
    const page = await context.newPage();
    await page.goto('/');
    await expect(form(page).name).toBeFocused();
    expect(await objections(page)).toEqual([]);
    await page.keyboard.type(VERA.name);
    await page.keyboard.press('Tab');
    await page.keyboard.type('not the password of vera');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert').getByText('Wrong name or password')).toBeVisible();
    expect(await objections(page)).toEqual([]);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
    await page.keyboard.type(VERA.password);
    await page.keyboard.press('Enter');
    await expect(menu(page, VERA)).toBeAttached();
    await context.close();
  });

test.describe('at an identity provider', () => {
  let url: string;
  test.beforeAll(async () => {
    const port = await portFree();
    const server = await startRealConsole(processes, {
      redisUrl: redisUrl(),
      name: 'the console behind an identity provider',
      env: {
        AUTH: 'oidc',
        REDRIVE_PREFIX: 'oidc',
        OIDC_ISSUER: `http://127.0.0.1:${port}`,
        OIDC_CLIENT_ID: 'redrive',
        OIDC_CLIENT_SECRET: 'a secret of the test client',
        OIDC_NAME: 'Acme ID',
        OIDC_GRANTS: JSON.stringify({ sre: [{ role: 'operator' }] }),
        // The page hears of a proof within two seconds, and of one given in another tab of a slow browser later.
        REDRIVE_REAUTHENTICATION_MINUTES: String(2 * PROOF_MINUTES),
      },
    });
    // Another site than the provider: only so do cookies have to cross over.
    url = server.url.replace('127.0.0.1', 'localhost');
    await startIdentityProvider(processes, {
      port,
      redirectUris: [`${url}/sign-in/oidc/callback`],
      people: [
        { sub: 'u-1', name: 'Olga', groups: ['sre'] },
        { sub: 'u-2', name: 'Nils', groups: ['sales'] },
      ],
    });
  });

  async function answer(page: Page, login: string): Promise<void> {
    await page.locator('input[name=login]').fill(login);
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
  }

  test('one signs in there, and comes back to where one was going', async ({ browser }) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${url}/workers`);
    expect(await objections(page)).toEqual([]);
    await page.getByRole('link', { name: 'Continue with Acme ID' }).click();
    await answer(page, 'u-1');
    await expect(page).toHaveURL(`${url}/workers`);
    await openAccountMenu(page, 'Olga');
    await expect(page.getByText('Signed in with single sign-on')).toBeVisible();
    await expect(page.getByText('Role: operator')).toBeVisible();
    await context.close();
  });

  test('logout: signing out goes on to the provider, which asks for a password again', async ({
    browser,
  }) => {
    for (const [colorScheme, viewport] of [
      ['light', { width: 1280, height: 800 }],
      ['dark', { width: 390, height: 844 }],
    ] as const) {
      const context = await browser.newContext({ colorScheme, viewport });
      const page = await context.newPage();
      const refused: string[] = [];
      page.on('console', (message) => {
        if (message.text().includes('Content Security Policy')) refused.push(message.text());
      });
      await page.goto(`${url}/workers`);
      await page.getByRole('link', { name: 'Continue with Acme ID' }).click();
      await answer(page, 'u-1');
      await openAccountMenu(page, 'Olga');
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      // The provider asks whether they mean it; here they are signed out already.
      const yes = page.getByRole('button', { name: /Yes, sign me out/ });
      await expect(yes).toBeVisible();
      expect((await page.request.get(`${url}/api/v1/me`)).status()).toBe(401);
      await yes.click();
      await expect(page.getByText('You are signed out here and at Acme ID.')).toBeVisible();
      expect(await objections(page)).toEqual([]);
      await page.getByRole('link', { name: 'Continue with Acme ID' }).click();
      await expect(page.locator('input[name=login]')).toBeVisible();
      expect(refused.filter((text) => text.includes(url))).toEqual([]);
      await context.close();
    }
  });

  test('whose groups have no role here is told so, and is not let in', async ({ browser }) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${url}/`);
    await page.getByRole('link', { name: 'Continue with Acme ID' }).click();
    await answer(page, 'u-2');
    await expect(page.getByRole('alert').getByText(/role/)).toBeVisible();
    expect(await objections(page)).toEqual([]);
    expect((await page.request.get(`${url}/api/v1/me`)).status()).toBe(401);
    await context.close();
  });

  test('a proof is given there in a tab of its own, and what waited goes on', async ({ browser }) => {
    const broker = createBroker({ url: redisUrl(), prefix: 'oidc' });
    const { jobId } = await broker.enqueue('mail', { jobType: 'email.send', payload: '{}' });
    broker.close();
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${url}/queues/mail/jobs/${jobId}`);
    await page.getByRole('link', { name: 'Continue with Acme ID' }).click();
    await answer(page, 'u-1');
    await expect(page.getByRole('button', { name: 'You are Olga' })).toBeVisible();
    const me = async () => (await page.request.get(`${url}/api/v1/me`)).json();
    await expect
      .poll(async () => (await me()).reauthenticatedUntil < Date.now(), { timeout: 30_000 })
      .toBe(true);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).last().click();
    const proof = page.getByRole('dialog', { name: 'Confirm your identity' });
    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      proof.getByRole('link', { name: 'Confirm at Acme ID' }).click(),
    ]);
    await answer(tab, 'u-1');
    await expect(tab.getByRole('heading', { name: 'You are signed in' })).toBeVisible();
    await tab.close();
    await expect(proof).toBeHidden();
    await expect(page.getByText('Cancelled', { exact: true }).first()).toBeVisible();
    await context.close();
  });
});

test('the one-time link signs in once, and does not stay in the address', async ({ browser }) => {
  const server = await startRealConsole(processes, {
    redisUrl: redisUrl(),
    name: 'the console with a link',
    env: { AUTH: 'link', REDRIVE_PREFIX: 'link' },
  });
  const LINK = /^Sign in: (http:\S+)$/m;
  const [, link = ''] = await server.process.prints(LINK);
  const context = await browser.newContext();
  const page = await context.newPage();
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  await page.goto(link);
  await expect(page.getByRole('button', { name: /^You are/ })).toBeVisible();
  expect(page.url()).toBe(`${server.url}/`);
  const code = link.split('code=')[1] ?? '';
  expect(code.length).toBeGreaterThan(20);
  expect(addresses.filter((address) => new URL(address).search.includes(code))).toEqual([]);
  await page.getByRole('button', { name: /^You are/ }).click();
  await expect(page.getByText('Signed in with one-time link')).toBeVisible();

  const other = await browser.newContext();
  const late = await other.newPage();
  await late.goto(link);
  await expect(late.getByRole('alert').getByText(/was used before/)).toBeVisible();
  expect(late.url()).not.toContain(code);
  expect(await objections(late)).toEqual([]);
  // The next one is printed already.
  await expect
    .poll(() => new Set(server.process.output().match(new RegExp(LINK, 'gm'))).size)
    .toBeGreaterThan(1);
  await context.close();
  await other.close();
});

test('where nobody is asked who they are, every page says so', async ({ browser }) => {
  const server = await startRealConsole(processes, {
    redisUrl: redisUrl(),
    name: 'the open console',
    env: { AUTH: 'none', REDRIVE_PREFIX: 'open' },
  });
  const context = await browser.newContext({ baseURL: server.url });
  const page = await context.newPage();
  for (const path of ['/', '/dead', '/workers']) {
    await page.goto(path);
    await expect(page.getByText('Authentication is disabled (AUTH=none).')).toBeVisible();
  }
  await page.getByRole('button', { name: /^You are/ }).click();
  await page.getByRole('menuitem', { name: 'Set your name…' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Ada');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'You are Ada' })).toBeVisible();
  await page.goto('/sign-in?next=/workers');
  await expect(page).toHaveURL(`${server.url}/workers`);
  await context.close();
});
