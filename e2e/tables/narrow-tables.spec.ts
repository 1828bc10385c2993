/** Tables on phones, tablets and small laptops: no table scrolls sideways, and what matters most has the width. */
import { expect, type Locator, type Page, test } from '@playwright/test';
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
