/** How people want tables: what they choose follows them, and compact rows are compact everywhere. */
import { type APIRequestContext, expect, test } from '@playwright/test';
import { paths } from '../../lib/contract/api-paths';
import type { TableSettings } from '../../lib/format/column-settings';
import { dieInNewQueue, GATEWAY } from '../dead-jobs';
import { BOB, type E2ePerson, stateOf, VERA } from '../user-pages';

const USUAL: TableSettings = { density: 'comfortable', tables: {} };

async function keepTables(request: APIRequestContext, settings: TableSettings): Promise<void> {
  const answer = await request.put(paths.myTables(), { data: settings });
  expect(answer.status(), await answer.text()).toBe(200);
}
/** In the HTML of the overview, before any script ran. */
const densityOf = async (request: APIRequestContext): Promise<string | undefined> =>
  /<table[^>]* data-density="(\w+)"/.exec(await (await request.get('/')).text())?.[1];

test.afterEach(({ request }) => keepTables(request, USUAL));

test('what a person chooses is there in another browser from the first HTML on, and for nobody else', async ({
  browser,
}) => {
  const queue = await dieInNewQueue('chosen', { ...GATEWAY, count: 3 });
  const list = `/queues/${queue}?state=dead`;
  const come = async (person: E2ePerson) => {
    const context = await browser.newContext({
      storageState: stateOf(person),
      viewport: { width: 1440, height: 900 },
    });
    return { context, page: await context.newPage() };
  };
  const here = await come(BOB);
  const heads = (page = here.page) => page.locator('main thead th:visible');
  await here.page.goto(list);
  await expect(heads().filter({ hasText: 'Attempt' })).toBeVisible();
  // The first attempt to keep it is lost: the browser remembers, and the next page sends it.
  await here.page.route(`**${paths.myTables()}`, (route) => route.abort());
  const lost = here.page.waitForEvent('requestfailed');
  await here.page.getByRole('button', { name: 'Table view' }).click();
  await here.page.getByRole('checkbox', { name: 'Attempt' }).click();
  await here.page.getByRole('radio', { name: 'Compact' }).click();
  await lost;
  await here.page.unroute(`**${paths.myTables()}`);
  const kept = here.page.waitForResponse((response) => response.url().endsWith(paths.myTables()));
  await here.page.reload();
  expect((await kept).status()).toBe(200);

  const there = await come(BOB);
  expect(await densityOf(there.context.request)).toBe('compact');
  // Not for a moment another one.
  await there.page.addInitScript(() => {
    const seen = new Set<string>();
    Object.assign(window, { densities: seen });
    new MutationObserver((changes) => {
      for (const { oldValue } of changes) if (oldValue !== null) seen.add(oldValue);
      for (const table of document.querySelectorAll<HTMLElement>('table[data-density]'))
        seen.add(table.dataset.density ?? '');
    }).observe(document, {
      childList: true,
      subtree: true,
      attributeFilter: ['data-density'],
      attributeOldValue: true,
    });
  });
  await there.page.goto('/');
  await expect(there.page.locator('[data-slot=connection][data-kind=live]')).toBeVisible();
  expect(
    await there.page.evaluate(() => [...(window as unknown as { densities: Set<string> }).densities]),
  ).toEqual(['compact']);
  await there.page.goto(list);
  await expect(there.page.locator('main tbody tr').first()).toBeVisible();
  await expect(heads(there.page).filter({ hasText: 'Attempt' })).toHaveCount(0);
  const other = await come(VERA);
  await other.page.goto(list);
  await expect(heads(other.page).filter({ hasText: 'Attempt' })).toBeVisible();
  expect(await densityOf(other.context.request)).toBe('comfortable');

  // What is chosen there comes back here.
  const reset = there.page.waitForResponse((response) => response.url().endsWith(paths.myTables()));
  await there.page.getByRole('button', { name: 'Table view' }).click();
  await there.page.getByRole('button', { name: 'Reset columns' }).click();
  await there.page.getByRole('radio', { name: 'Comfortable' }).click();
  await reset;
  await here.page.reload();
  await expect(heads().filter({ hasText: 'Attempt' })).toBeVisible();
  for (const { context } of [here, there, other]) await context.close();
});

test('on a phone the button stays under the finger that holds the list', async ({ page }) => {
  const queue = await dieInNewQueue('finger', { ...GATEWAY, count: 3 });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/dead?view=rows&q=queue:${queue}`);
  const button = page.getByRole('button', { name: 'Table view' });
  await expect(page.getByText('3 dead letters match')).toBeVisible();
  const before = await button.boundingBox();
  await button.hover();
  await expect(page.getByText('paused')).toBeVisible();
  expect(await button.boundingBox()).toEqual(before);
  await button.click();
  await expect(page.getByRole('dialog', { name: 'Table view' })).toBeVisible();
});

test('a laptop shows 30 dead letters at once in compact tables', async ({ page, request }) => {
  await dieInNewQueue('rows', { ...GATEWAY, count: 40 });
  await page.setViewportSize({ width: 1440, height: 900 });
  await keepTables(request, { density: 'compact', tables: {} });
  await page.goto('/dead?view=rows');
  const rows = page.locator('main tbody tr');
  await expect(rows.nth(39)).toBeAttached();
  const onShow = () =>
    rows.evaluateAll((all) => all.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length);
  await expect.poll(onShow).toBeGreaterThanOrEqual(30);
});

test('compact tables have compact rows on every page with a list of them', async ({ page, request }) => {
  const queue = await dieInNewQueue('compact', { ...GATEWAY, count: 3 });
  await page.setViewportSize({ width: 1440, height: 900 });
  await keepTables(request, { density: 'compact', tables: {} });
  for (const [list, row] of [
    ['/', 'tr[data-queue]'],
    ['/dead?view=rows', 'tbody tr'],
    [`/queues/${queue}?state=dead`, 'tr:has([data-row-link])'],
    ['/audit', 'tbody tr'],
  ] as const) {
    await page.goto(list);
    const height = () =>
      page
        .locator(`main ${row}:not([aria-hidden])`)
        .first()
        .evaluate((found) => found.getBoundingClientRect().height);
    await expect.poll(height, list).toBeLessThanOrEqual(22);
    expect(await height(), list).toBeGreaterThan(10);
  }
});
