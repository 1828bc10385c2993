/** Every page, light and dark, wide and phone: nothing axe objects to, no errors, nothing wider than the screen. */

import { type APIRequestContext, expect, type Page, test } from '@playwright/test';
import { dead, enqueueMails, overview, QUIET, setLab, startOperation } from './api-requests';
import { expectFits, objections } from './axe';

const LOOKS = [
  { look: 'light, wide', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { look: 'light, phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
  { look: 'dark, phone', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
  { look: 'dark, wide', colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
] as const;

/** Widths between those of the looks. */
const LAPTOP = { 1280: 'small laptop', 640: 'small laptop at 200 % zoom' };

/** Some are about things that must be there first. */
async function pathsOfAll(request: APIRequestContext): Promise<string[]> {
  await setLab(request, { ...QUIET, failPercent: 60, trafficPerSecond: 10 });
  await enqueueMails(request, 5);
  await expect.poll(async () => (await dead(request)).matching.count, { timeout: 45_000 }).toBeGreaterThan(2);
  await setLab(request, QUIET);
  const job = (await dead(request, '', 1)).jobs[0];
  const queue = (await overview(request)).queues[0]?.queue;
  const operation = await startOperation(request, { kind: 'redrive', scope: { q: 'type:nothing' } });
  return [
    '/',
    `/queues/${queue}`,
    `/queues/${queue}/settings`,
    `/queues/${job?.queue}/jobs/${job?.jobId}`,
    '/dead',
    '/dead?view=rows',
    '/operations',
    `/operations/${operation.id}`,
    '/schedules',
    '/alerts',
    '/alerts?tab=ended',
    '/alerts?tab=channels',
    '/workers',
    '/redis',
    '/lab',
    '/access',
    '/api-reference',
    '/api-reference/previewOperation',
    '/access?tab=tokens',
    '/access?tab=sessions&all=true',
    '/audit',
    '/nowhere',
  ];
}

test('an address without a page is 404, in the shell', async ({ page }) => {
  const answer = await page.goto('/nowhere/at/all');
  expect(answer?.status()).toBe(404);
  await expect(page.getByText('There is nothing at this address')).toBeVisible();
  await page.getByRole('link', { name: 'Dead letters' }).first().click();
  await expect(page).toHaveURL(/\/dead/);
});

test('every page is accessible and sound, in every look', async ({ browser, request, baseURL }) => {
  test.setTimeout(600_000);
  const paths = await pathsOfAll(request);
  const context = await browser.newContext({ baseURL, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(`${page.url()}: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !page.url().endsWith('/nowhere'))
      errors.push(`${page.url()}: ${message.text()}`);
  });
  // Each path is first opened in another look; the others follow as they do when a user turns the phone or dusk falls. All rules run
  // once in each width; a second colour scheme can only break colours.
  const looks: (typeof LOOKS)[number][] = [...LOOKS];
  for (const path of paths) {
    const widths = new Set<number>();
    for (const [turn, { look, colorScheme, viewport }] of looks.entries()) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      if (turn === 0) await page.goto(path);
      await expectSound(page, path, look, widths.has(viewport.width));
      widths.add(viewport.width);
    }
    for (const [width, where] of Object.entries(LAPTOP)) {
      await page.setViewportSize({ width: Number(width), height: 800 });
      await expectFits(page, `${path}, ${where},`);
    }
    looks.push(...looks.splice(0, 1));
  }
  expect(errors).toEqual([]);
  await context.close();
});

async function expectSound(page: Page, path: string, look: string, colors: boolean): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  if (path !== '/nowhere') await expect(page.locator('[data-slot=connection][data-kind=live]')).toBeVisible();
  await expect(page.locator('[data-slot=skeleton]')).toHaveCount(0);
  expect(await objections(page, { colors }), `${path}, ${look}`).toEqual([]);
  await expectFits(page, `${path}, ${look},`);
}

test('when the live stream drops, the console says so, polls, and comes back', async ({ page, request }) => {
  await setLab(request, QUIET);
  await enqueueMails(request, 1);
  await page.goto('/workers');
  await expect(page.locator('[data-slot=connection][data-kind=live]')).toBeVisible();
  await page.route('**/api/v1/stream', (route) => route.abort());
  await page.reload();
  await expect(page.locator('[data-slot=connection][data-kind=polling]')).toBeVisible({ timeout: 15_000 });
  await expect(page.getByText('Live updates are interrupted.')).toBeVisible({ timeout: 15_000 });
  // What happens meanwhile still reaches the page.
  await request.post('/api/v1/queues/default/pause', {
    data: { reason: 'Seen while polling', forMs: 60_000 },
  });
  await expect(page.getByRole('region', { name: 'Pauses' })).toContainText('Seen while polling');
  await request.post('/api/v1/queues/default/resume', { data: {} });
  await expect(page.getByRole('region', { name: 'Pauses' })).toBeHidden();
  await page.unroute('**/api/v1/stream');
  await expect(page.locator('[data-slot=connection][data-kind=live]')).toBeVisible({ timeout: 30_000 });
});

test('a page tells a foreign Host nothing', async ({ request, baseURL }) => {
  const page = await request.get(`${baseURL}/`, { headers: { host: 'evil.example' } });
  expect(await page.text()).not.toContain('"queue":"default"');
  expect((await request.get('/api/v1/queues', { headers: { host: 'evil.example' } })).status()).toBe(400);
});
