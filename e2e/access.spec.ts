/** Who may do what, in the browser: tokens made, used and revoked; rights taken and given back while their owner looks on. */
import { type Browser, expect, type Page, test } from '@playwright/test';
import { usersPageSchema } from '../lib/contract/access/access-schemas';
import { paths } from '../lib/contract/api-paths';
import { enqueueMails, QUIET, setLab } from './api-requests';
import { CARL, signIn, stateOf, VERA } from './user-pages';

const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });
const choose = async (page: Page, name: string, item: string) => {
  await page.getByRole('button', { name: `More actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
};
const pageAs = async (
  browser: Browser,
  baseURL: string | undefined,
  state: Parameters<Browser['newContext']>[0],
) => (await browser.newContext({ baseURL, ...state })).newPage();

test('a token is made, shown once, used, seen to be used, and revoked', async ({
  page,
  baseURL,
  request,
}) => {
  await enqueueMails(request, 1);
  await page.goto('/access?tab=tokens');
  await page.getByRole('button', { name: 'New token' }).click();
  const dialog = page.getByRole('dialog', { name: 'New API token' });
  await expect(dialog.getByRole('button', { name: 'Create token' })).toBeDisabled();
  await dialog.getByLabel('Name').fill('the e2e token');
  await dialog.getByLabel('Expires after').selectOption('7');
  const role = dialog.getByRole('group', { name: 'Role 1' });
  await role.getByLabel('Role', { exact: true }).selectOption('viewer');
  await role.getByLabel('Queues').fill('{no}');
  await expect(role.getByRole('alert')).toContainText('"{no}" must be a queue name');
  await role.getByLabel('Queues').fill('default');
  await dialog.getByRole('button', { name: 'Create token' }).click();

  const shown = page.getByRole('dialog', { name: 'API token the e2e token' });
  const token = (await shown.locator('[data-slot=token]').innerText()).trim();
  expect(token).toMatch(/^rdt_/);
  // It does not go by accident.
  await page.keyboard.press('Escape');
  await expect(shown).toBeVisible();
  await shown.getByRole('button', { name: 'I have stored it' }).click();
  await expect(row(page, 'the e2e token')).toContainText('never');
  expect(await page.content()).not.toContain(token);

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${baseURL}${path}`, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });
  expect((await ask(paths.jobs('default'))).status).toBe(200);
  const more = await ask(paths.pause('default'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"reason":"not its to do"}',
  });
  expect(more.status).toBe(403);
  await page.reload();
  await expect(row(page, 'the e2e token')).toContainText('127.0.0.1');
  await expect(row(page, 'the e2e token')).not.toContainText('never');

  await page.getByRole('button', { name: 'Revoke the token the e2e token' }).click();
  const asked = page.getByRole('alertdialog', { name: 'Revoke this token?' });
  await asked.getByLabel(/^Reason/).fill('the test is over');
  await asked.getByRole('button', { name: 'Revoke token' }).click();
  await expect(page.getByText('Token revoked')).toBeVisible();
  // Behind an open dialog no row and no button has a role: they would count as gone.
  await expect(asked).toBeHidden();
  await expect(row(page, 'the e2e token')).toHaveCount(0);
  expect((await ask(paths.jobs('default'))).status).toBe(401);
});

test('a role that is taken counts at once, is seen where it is missed, and can be given back', async ({
  page,
  browser,
  baseURL,
  request,
}) => {
  await setLab(request, QUIET);
  await enqueueMails(request, 1);
  const his = await pageAs(browser, baseURL, { storageState: stateOf(CARL) });
  await his.goto('/queues/default');
  await his.getByRole('button', { name: 'Pause…' }).click();
  const pause = his.getByRole('dialog').or(his.getByRole('alertdialog'));
  await expect(pause).toBeVisible();

  await page.goto('/access');
  await page.getByRole('button', { name: `Change the roles of ${CARL.name}` }).click();
  const dialog = page.getByRole('dialog', { name: `Roles of ${CARL.name}` });
  await dialog
    .getByRole('group', { name: 'Role 1' })
    .getByLabel('Role', { exact: true })
    .selectOption('viewer');
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  await dialog.getByLabel('Reason').fill('e2e: he only looks for now');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(row(page, CARL.name)).toContainText('viewer');
  await expect(row(page, CARL.name)).toContainText('console');

  await pause.getByLabel(/^Reason/).fill('e2e: he may no longer');
  await pause
    .getByRole('button', { name: /^Pause/ })
    .last()
    .click();
  await expect(pause.getByRole('alert')).toContainText('permission "operate"');
  await his.keyboard.press('Escape');
  await expect(pause).toBeHidden();
  // What is not his to do is no longer offered.
  await expect(his.getByRole('button', { name: 'Pause…' })).toHaveCount(0);

  await page.getByRole('button', { name: `Change the roles of ${CARL.name}` }).click();
  await dialog.getByLabel('Reason').fill('e2e: as it was');
  await dialog.getByRole('button', { name: 'Reset to the users file' }).click();
  await expect(row(page, CARL.name)).toContainText('operator');
  await expect(row(page, CARL.name)).toContainText('file');
  await his.reload();
  await expect(his.getByRole('button', { name: 'Pause…' })).toBeVisible();
  await his.context().close();
});

test('who is disabled is signed out and cannot come back until enabled again', async ({
  page,
  browser,
  baseURL,
  request,
}) => {
  // A session of its own: the one of the setup would be gone for other tests.
  const his = await pageAs(browser, baseURL, { storageState: await signIn(baseURL ?? '', CARL) });
  await his.goto('/workers');
  await expect(his.locator('[data-slot=connection][data-kind=live]')).toBeVisible();

  await page.goto('/access');
  await choose(page, CARL.name, 'Disable…');
  const asked = page.getByRole('alertdialog', { name: `Disable ${CARL.name}?` });
  await expect(asked.getByRole('button', { name: 'Disable' })).toBeDisabled();
  await asked.getByLabel(/^Reason/).fill('e2e: he is away');
  await asked.getByRole('button', { name: 'Disable' }).click();
  await expect(row(page, CARL.name)).toContainText('Disabled');
  await expect(his.getByRole('dialog', { name: 'Your session has ended' })).toBeVisible({ timeout: 20_000 });
  await expect(signIn(baseURL ?? '', CARL)).rejects.toThrow('was not let in');

  await choose(page, CARL.name, 'Enable…');
  const back = page.getByRole('alertdialog', { name: `Enable ${CARL.name}?` });
  await expect(back).toContainText('e2e: he is away');
  await back.getByLabel(/^Reason/).fill('e2e: he is back');
  await back.getByRole('button', { name: 'Enable' }).click();
  await expect(row(page, CARL.name)).toContainText('active');
  await signIn(baseURL ?? '', CARL);
  const { users: people } = usersPageSchema.parse(await (await request.get(paths.users())).json());
  expect(people.find(({ id }) => id === `local:${CARL.name}`)?.disabled).toBeNull();
  await his.context().close();
});

test('nobody changes their own rights, and without the permission one sees what is one’s own', async ({
  page,
  browser,
  baseURL,
}) => {
  await page.goto('/access');
  await expect(page.getByRole('button', { name: 'Change the roles of ann' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await page.goto('/access?tab=sessions&all=true');
  await expect(page.getByText('current', { exact: true })).toHaveCount(1);
  await expect(row(page, VERA.name).first()).toBeVisible();

  const hers = await pageAs(browser, baseURL, { storageState: stateOf(VERA) });
  await hers.goto('/access?tab=users');
  await expect(hers.getByText('You see only your own tokens and sessions.')).toBeVisible();
  await expect(hers.getByRole('link', { name: 'Users' })).toHaveCount(0);
  await hers.goto('/access?tab=sessions&all=true');
  await expect(row(hers, VERA.name).first()).toBeVisible();
  await expect(row(hers, 'ann')).toHaveCount(0);
  await hers.context().close();
});
