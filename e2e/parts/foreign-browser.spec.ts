/** Every page in browsers that are not ours: they translate the page, and refuse storage. */
import { expect, type Page, test } from '@playwright/test';
import { type ConsolePage, consolePages } from '../../testing/pages/console-pages';
import { QUIET, setLab } from '../api-requests';
import { dieInNewQueue, GATEWAY } from '../dead-jobs';
import { STORAGE_REFUSALS, translatePage } from './foreign-conditions';

const FAILED = /This page could not be shown|The console could not start this page/;

interface Condition {
  readonly name: string;
  /** Before the page is there. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  /** Once the page is there. */
  readonly disturb?: (page: Page) => Promise<void>;
}

const CONDITIONS: Condition[] = [
  { name: 'storage that throws', prepare: (page) => page.addInitScript(STORAGE_REFUSALS.throws) },
  ...(['wrap', 'replace'] as const).map((way) => ({
    name: `translation that would ${way} text`,
    disturb: (page: Page) => page.evaluate(translatePage, way),
  })),
];

async function expectWhole(page: Page, { name, isPublic }: ConsolePage): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html'), name).toHaveClass(new RegExp(`\\b${colorScheme}\\b`));
    await expect(page.getByText(FAILED), `${name}, ${colorScheme}`).toHaveCount(0);
  }
  if (isPublic) return;
  // By a link of the console, as a user goes: React then removes all that it drew.
  const link = name === 'workers' ? 'Schedules' : 'Workers';
  await page
    .getByRole('link', { name: new RegExp(`^${link}`) })
    .first()
    .click();
  await expect(page.getByRole('heading', { level: 1, name: link }), `from ${name}`).toBeVisible();
  await expect(page.getByText(FAILED), `after ${name}`).toHaveCount(0);
}

for (const { name, prepare, disturb } of CONDITIONS) {
  test(`every page works under ${name}`, async ({ page, request }) => {
    test.slow();
    await setLab(request, { ...QUIET, workers: 1 });
    const queue = await dieInNewQueue('foreign', { ...GATEWAY, count: 3 });
    const [dead] = (await (await request.get(`/api/v1/dead?q=queue:${queue}&limit=1`)).json()).jobs;
    const failures: string[] = [];
    page.on('pageerror', ({ message }) => {
      // React found text translated before it took the page over, and drew that page anew.
      if (!disturb || !message.includes('React error #418')) failures.push(message);
    });
    await prepare?.(page);
    for (const one of consolePages({ queue, jobId: dead.jobId, route: 'listJobs' })) {
      // With a session the sign-in page leads elsewhere.
      if (one.isPublic) await page.context().clearCookies();
      await page.goto(one.path);
      await expect(page.locator(one.data).first(), one.name).toBeVisible();
      await disturb?.(page);
      await expectWhole(page, one);
    }
    expect(failures).toEqual([]);
  });
}

test('text that was replaced by its translation goes on to change', async ({ page, request }) => {
  await setLab(request, { ...QUIET, workers: 1 });
  await page.goto('/');
  await expect(page.locator('main tbody tr[data-queue]').first()).toBeVisible();
  await page.evaluate(translatePage, 'replace' as const);
  await expect.poll(() => page.evaluate(() => window.translation?.rewritten())).toBeGreaterThan(0);
  // The page and the translation take turns.
  await expect.poll(() => page.evaluate(() => window.translation?.outdated())).toEqual([]);
});
