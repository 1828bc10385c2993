/** S1 in what opens over a page, and in names from somewhere else: saved searches, the finder, dialogs, and an identity provider. */
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { usersPageSchema } from '../../lib/contract/access/access-schemas';
import { paths } from '../../lib/contract/api-paths';
import { startIdentityProvider } from '../../testing/worlds/identity-provider';
import { Processes, portFree } from '../../testing/worlds/processes';
import { startRealConsole } from '../../testing/worlds/real-console';
import { expectFits } from '../axe';
import { openBroker } from '../dead-jobs';
import { openAccountMenu } from '../user-pages';
import { attackOf, hostileLine } from './attacks';
import { plantAttacks } from './plant-attacks';
import { grown, visit, watch } from './watch-pages';

const SIZES = [
  { width: 1_440, height: 900 },
  { width: 390, height: 844 },
] as const;
/** Marks that turn the direction of what follows. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/;

const processes = new Processes();
test.afterAll(() => processes.stopAll());

const dialogOf = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'));

/** What is open is on the screen, is text, and has made nothing wider. */
async function expectHarmless(page: Page, found: readonly string[], where: string): Promise<void> {
  expect(await grown(page), where).toEqual([]);
  expect(found, where).toEqual([]);
  expect(await page.locator('body').innerText(), where).not.toMatch(TURNING);
  await expectFits(page, where);
  const open = page.locator('[role=dialog], [role=alertdialog], [role=menu]').first();
  const box = await open.boundingBox();
  const { width } = page.viewportSize() ?? { width: 0 };
  expect(box, where).not.toBeNull();
  expect(Math.min(box?.x ?? -1, width - (box?.x ?? 0) - (box?.width ?? width)), where).toBeGreaterThanOrEqual(
    0,
  );
  // Nothing in it is wider than it, either.
  const isWider = await open.evaluate((element) => element.scrollWidth > element.clientWidth + 1);
  expect(isWider, `${where} scrolls sideways`).toBe(false);
}

test('S1: in dialogs, saved searches, and in what the finder finds', async ({ context, page, request }) => {
  test.setTimeout(180_000);
  const found = await watch(context);
  const broker = openBroker();
  const { queue, jobId, schedule, dialogs } = await plantAttacks(broker, request).finally(() =>
    broker.close(),
  );
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const path of dialogs) {
      await page.goto(path);
      await expect(dialogOf(page)).toContainText('data-xss');
      await expectHarmless(page, found, `${path} on ${size.width}`);
    }
    await visit(page, `/audit?queue=${queue}`, found);
    for (const event of [/^Change settings: details/, /^Edit .*: details/, /^Undo: .*: details/]) {
      await page.getByRole('button', { name: event }).first().click();
      await expect(dialogOf(page)).toContainText('data-xss');
      await expectHarmless(page, found, `the event ${event} on ${size.width}`);
      await page.keyboard.press('Escape');
      await expect(dialogOf(page)).toBeHidden();
    }
    await visit(page, `/dead?q=${encodeURIComponent(`queue:${queue}`)}`, found);
    await page.getByRole('button', { name: 'Saved searches' }).click();
    await expect(page.getByRole('menuitem', { name: /data-xss/ }).first()).toBeVisible();
    await expectHarmless(page, found, `the searches on ${size.width}`);
    await page.getByRole('menuitem', { name: 'Delete saved searches…' }).click();
    await expect(
      page
        .getByRole('dialog')
        .getByRole('button', { name: /^Delete / })
        .first(),
    ).toBeVisible();
    await expectHarmless(page, found, `the searches to delete on ${size.width}`);
    await page.keyboard.press('Escape');
    // By job id, by the words of a search, a group, a schedule and a token, and by text that finds nothing.
    for (const text of [jobId, 'data-xss', 'script', `s-${queue}`.slice(0, 60), hostileLine(200)]) {
      await page.keyboard.press('ControlOrMeta+k');
      const box = page.getByRole('combobox', { name: 'Find' });
      await box.fill(text);
      const finder = page.getByRole('dialog', { name: 'Find' });
      await expect(finder.getByRole('option').or(finder.getByText('0 results.')).first()).toBeVisible();
      await expectHarmless(page, found, `the finder for ${text.slice(0, 30)} on ${size.width}`);
      await page.keyboard.press('Escape');
      await expect(box).toBeHidden();
    }
  }
  await request.post(`/api/v1/queues/${queue}/resume`, { data: {} });
  await request.post(`/api/v1/queues/${queue}/drain`, { data: { draining: false, reason: 'over' } });
  // Other tests look at the list of schedules.
  await request.delete(`/api/v1/schedules/${schedule}`, { data: {} });
});

test('S1: in the name that an identity provider gives, and in why a user is disabled', async ({
  browser,
}) => {
  test.setTimeout(180_000);
  const port = await portFree();
  const { url: loopback } = await startRealConsole(processes, {
    redisUrl: process.env.REDRIVE_E2E_REDIS_URL ?? '',
    name: 'the console behind a hostile provider',
    env: {
      AUTH: 'oidc',
      REDRIVE_PREFIX: `hostile-${Date.now().toString(36)}`,
      OIDC_ISSUER: `http://127.0.0.1:${port}`,
      OIDC_CLIENT_ID: 'redrive',
      OIDC_CLIENT_SECRET: 'a secret of the test client',
      OIDC_NAME: 'Acme ID',
      OIDC_GRANTS: JSON.stringify({ admins: [{ role: 'admin' }] }),
    },
  });
  // Another site than the provider: only so do cookies have to cross over.
  const url = loopback.replace('127.0.0.1', 'localhost');
  const named = attackOf(60, 3);
  await startIdentityProvider(processes, {
    port,
    redirectUris: [`${url}/sign-in/oidc/callback`],
    people: [
      { sub: 'u-1', name: named, groups: ['admins', attackOf(100, 5)] },
      // Not a name that the console takes: it has letters that cannot be seen.
      { sub: 'u-2', name: hostileLine(100), groups: ['admins'] },
    ],
  });
  for (const [login, name] of [
    ['u-2', 'u-2'],
    ['u-1', named],
  ] as const) {
    const context = await browser.newContext({ baseURL: url });
    const found = await signedIn(context, login);
    const page = await context.newPage();
    if (login === 'u-1') await disable(context, 'u-2');
    for (const size of SIZES) {
      await page.setViewportSize(size);
      for (const path of ['/', '/access?tab=users', '/access?tab=sessions&all=true', '/audit']) {
        await visit(page, path, found, url);
        await expectFits(page, `${path}, ${size.width},`);
      }
      await visit(page, '/access?tab=users', found, url);
      await expect(page.locator('main')).toContainText(name);
      await openAccountMenu(page, name);
      await expectHarmless(page, found, `the account of ${name} on ${size.width}`);
    }
    await context.close();
  }
});

/** Takes roles and sign-in from a user, with a hostile reason. */
async function disable({ request }: BrowserContext, name: string): Promise<void> {
  const { users } = usersPageSchema.parse(await (await request.get(paths.users())).json());
  const { id = '' } = users.find((user) => user.name === name) ?? {};
  const grants = [{ role: 'viewer', queues: ['W'.repeat(100)], tenants: ['M'.repeat(100)] }];
  const data = { disabled: true, grants, reason: hostileLine(300, 43) };
  const answer = await request.patch(paths.accessUser(id), { data });
  expect(answer.ok(), await answer.text()).toBe(true);
}

/** Signs in at the provider. What is watched from then on: its own pages are not the console's. */
async function signedIn(context: BrowserContext, login: string): Promise<string[]> {
  const page = await context.newPage();
  await page.goto('/workers');
  await page.getByRole('link', { name: 'Continue with Acme ID' }).click();
  await page.locator('input[name=login]').fill(login);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await expect(page).toHaveURL(/\/workers$/);
  await page.close();
  return watch(context);
}
