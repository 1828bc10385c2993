/** What the keyboard alone can do, and what one key must not do twice. */
import { expect, type Page, test } from '@playwright/test';
import { countHands } from '../count-hands';
import { dieInNewQueue, GATEWAY, openBroker } from '../dead-jobs';
import { wizard } from '../wizard-steps';

const live = (page: Page) => expect(page.locator('[data-slot=connection][data-kind=live]')).toBeVisible();

test('T4: from the list of dead letters to a started re-drive in at most 30 keys, Enter all the way', async ({
  page,
  request,
}) => {
  const queue = await dieInNewQueue('keys', { ...GATEWAY, count: 3 });
  const hands = await countHands(page, 'T4, by keyboard from the dead letters');
  await page.goto(`/dead?q=queue:${queue}`);
  await live(page);
  await expect(page.getByText('1 failure group', { exact: true })).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('r');
  await expect(wizard(page)).toBeVisible();
  // Not waiting for the preview: the key counts as soon as it is here.
  await page.keyboard.press('Enter');
  await expect(wizard(page).getByRole('heading', { name: /: Rate$/ })).toBeAttached();
  await page.keyboard.press('Enter');
  await expect(wizard(page).getByLabel('Reason')).toBeFocused();
  await page.keyboard.type('Gateway is back');
  await page.keyboard.press('Enter');
  await expect(wizard(page)).toBeHidden();
  const { clicks, keys } = await hands();
  expect(clicks).toBe(0);
  expect(keys).toBeLessThanOrEqual(30);
  const { operations } = await (await request.get('/api/v1/operations')).json();
  expect(operations[0]).toMatchObject({ reason: 'Gateway is back' });
});

test('Escape closes a menu only, then the job beside the list', async ({ page }) => {
  const queue = await dieInNewQueue('escape', { ...GATEWAY, count: 2 });
  await page.goto(`/dead?view=rows&q=queue:${queue}`);
  await live(page);
  await page.locator('[data-row-link]').first().click();
  const panel = page.getByRole('region', { name: 'Job panel' });
  await panel.getByRole('button', { name: 'More' }).click();
  const menu = page.getByRole('menu');
  await expect(menu.getByRole('menuitem', { name: /^Purge….*trash/ })).toBeVisible();
  await expect(menu.getByRole('menuitem', { name: /^Delete permanently….*cannot be undone/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(panel).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
});

test('j and k move through the queues of the overview, g q leads there, and ? says what works', async ({
  page,
}) => {
  await page.goto('/workers');
  await live(page);
  await page.keyboard.press('g');
  await page.keyboard.press('q');
  await expect(page).toHaveURL(/\/#queues$/);
  const rows = page.locator('tbody [data-row-link]');
  await expect(rows.first()).toBeVisible();
  await page.keyboard.press('j');
  await expect(rows.nth(0)).toBeFocused();
  await page.keyboard.press('j');
  await expect(rows.nth(1)).toBeFocused();
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/queues\/[^/]+$/);
  await expect(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Queues' }),
  ).toHaveAttribute('aria-current', 'page');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard' })).toContainText('Operation wizard');
});

test('the finder pauses a queue and a tenant from any page, and Enter waits for the list of the text', async ({
  page,
}) => {
  const queue = `pausable-${Date.now().toString(36)}`;
  const broker = openBroker();
  // The finder reads the tenants of the queues where most jobs wait.
  const job = { jobType: 'mail', tenantId: `tenant-of-${queue}` };
  for (let batch = 0; batch < 4; batch++)
    await broker.enqueueMany(
      queue,
      Array.from({ length: 500 }, () => job),
    );
  await page.goto('/workers');
  await live(page);
  const box = page.getByRole('combobox', { name: 'Find' });
  const open = () =>
    expect(async () => {
      await page.keyboard.press('ControlOrMeta+k');
      await expect(box).toBeFocused({ timeout: 2_000 });
    }).toPass();
  const dialog = page.getByRole('dialog');
  await open();
  // Without a look at the list.
  await page.keyboard.type('pause default');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/queues\/default\?.*dialog=pause/);
  await expect(dialog.getByLabel('Reason')).toBeFocused();
  await page.keyboard.press('Escape');
  await page.goto('/workers');
  await live(page);
  await open();
  await page.keyboard.type(`pause tenant-of-${queue}`);
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('Tenant id')).toHaveValue(`tenant-of-${queue}`);
  broker.close();
});
