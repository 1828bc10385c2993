/** Tables on phones, tablets and small laptops: no table scrolls sideways, and what matters most has the width. */
import { expect, type Locator, type Page, test } from '@playwright/test';
import { consolePages } from '../../testing/pages/console-pages';
import { die, dieInNewQueue, GATEWAY, openBroker } from '../dead-jobs';

const WIDTHS = [390, 768, 1_024];

const overflow = (regions: Locator): Promise<string[]> =>
  regions.evaluateAll((all) =>
    all
      .filter((region) => region.scrollWidth > region.clientWidth)
      .map((region) => `${region.getAttribute('aria-label')}: ${region.scrollWidth - region.clientWidth} px`),
  );

async function expectTablesFit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.locator('main table').filter({ visible: true }).first()).toBeVisible();
  await expect(page.locator('main table [data-slot=skeleton]').filter({ visible: true })).toHaveCount(0);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 });
    await expect
      .poll(() => overflow(page.locator('main section:has(> table)')), { message: `${path} at ${width} px` })
      .toEqual([]);
  }
  await page.setViewportSize({ width: 1_440, height: 900 });
}

test('no table scrolls sideways on a phone, a tablet or a small laptop', async ({ page, request }) => {
  const queue = `narrow-${Date.now().toString(36)}`;
  const broker = openBroker();
  await die(broker, queue, { ...GATEWAY, count: 5 });
  await broker.pause(queue, { reason: 'Seen on a tablet' }, { actor: 'ann' });
  await broker.resume(queue, 'queue', { actor: 'ann' });
  broker.close();
  expect((await request.get(`/api/v1/queues/${queue}`)).status()).toBe(200);
  // The list of queues is one of cards on a phone.
  for (const path of [
    '/',
    `/dead?view=rows&q=queue:${queue}`,
    `/queues/${queue}?state=dead`,
    `/queues/${queue}/settings`,
    '/api-reference',
    '/api-reference/listJobs',
  ])
    await expectTablesFit(page, path);
});

/** Room for a name that tells rows apart. */
const NAME_MIN_PX = 88;

/** Tables whose first column, or what stands for it, is too narrow to read on this screen. */
const narrowNames = (page: Page): Promise<string[]> =>
  page.evaluate((min) => {
    const tables = [...document.querySelectorAll('main section:has(> table)')];
    return tables.flatMap((region) => {
      const rows = [...region.querySelectorAll('tbody > tr:not([aria-hidden])')];
      const row = rows.find(({ children }) => children.length > 1);
      const isShown = (cell: Element) => cell.getBoundingClientRect().width > 0;
      const cells = [...(row?.children ?? [])].filter(
        (cell) => isShown(cell) && !cell.querySelector('[role=checkbox], input[type=checkbox]'),
      );
      // A verdict or a time may come first; what names the row is its head, or the widest cell.
      const named = row?.querySelector('th[scope=row]');
      const widths = (named ? [named] : cells).map((cell) => Math.round(cell.getBoundingClientRect().width));
      const width = Math.max(0, ...widths);
      return cells.length > 0 && width < min ? [`${region.getAttribute('aria-label')}: ${width} px`] : [];
    });
  }, NAME_MIN_PX);

test('the first column of every table can be read on a phone', async ({ page, request }) => {
  const queue = await dieInNewQueue('names', { ...GATEWAY, count: 3 });
  const broker = openBroker();
  await broker.enqueueMany(
    queue,
    Array.from({ length: 6 }, (_, n) => ({ jobType: `type-${n}`, tenantId: `tenant-${n}`, payload: '{}' })),
  );
  const [dead] = (await (await request.get(`/api/v1/dead?q=queue:${queue}&limit=1`)).json()).jobs;
  broker.close();
  await page.setViewportSize({ width: 390, height: 844 });
  const places = { queue, jobId: dead.jobId, route: 'listJobs' };
  const tables = new Set<string>();
  const look = async (where: string) => {
    await expect(page.locator('main [data-slot=skeleton]').filter({ visible: true })).toHaveCount(0);
    expect(await narrowNames(page), where).toEqual([]);
    for (const label of await page
      .locator('main section:has(> table)')
      .evaluateAll((all) => all.map((region) => region.getAttribute('aria-label') ?? '')))
      tables.add(label);
  };
  for (const { path, isPublic } of consolePages(places)) {
    if (isPublic) continue;
    await page.goto(path);
    await expect(page.locator('[data-slot=connection][data-kind=live]')).toBeVisible();
    await look(path);
  }
  for (const path of ['/access?tab=tokens', '/access?tab=sessions&all=true', '/alerts?tab=ended'])
    await page.goto(path).then(() => look(path));
  await page.goto(`/queues/${queue}`);
  const breakdown = page.getByRole('radiogroup', { name: 'Break down by' });
  for (const name of ['Tenants', 'Job types', 'Priorities', 'Memory']) {
    await breakdown.getByRole('radio', { name }).click();
    await look(`Breakdown by ${name}`);
  }
  const names = page.getByRole('region', { name: 'Jobs by tenant' }).getByRole('rowheader');
  await breakdown.getByRole('radio', { name: 'Tenants' }).click();
  await expect(names.filter({ hasText: 'tenant-0' })).toBeVisible();
  expect(tables.size).toBeGreaterThan(12);
});

test('a row of dead letters has a line for its message on a phone', async ({ page }) => {
  const queue = await dieInNewQueue('lines', { ...GATEWAY, count: 2 });
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of [`/dead?view=rows&q=queue:${queue}`, `/queues/${queue}?state=dead`]) {
    await page.goto(path);
    const row = page.getByRole('row').filter({ hasText: GATEWAY.message }).first();
    const message = row.getByRole('cell').filter({ hasText: GATEWAY.message });
    await expect(message).toBeVisible();
    const [line, text] = [await row.boundingBox(), await message.boundingBox()];
    // Beside its class, and the box to select it.
    expect(text?.width).toBeGreaterThan((line?.width ?? 0) * 0.6);
    // Below the id, and not beside it.
    const id = await row.getByRole('link').boundingBox();
    expect(text?.y).toBeGreaterThanOrEqual((id?.y ?? 0) + (id?.height ?? 0));
  }
});
