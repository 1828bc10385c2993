/** What is shown when the console itself is at fault: of a page, and of what is around every page. */

import { expect, type Page, test } from '@playwright/test';
import { QUIET, setLab } from './api-requests';
import { objections } from './axe';
import { STORAGE_REFUSALS } from './parts/foreign-conditions';

declare global {
  interface Window {
    /** What fails for now. */
    broken?: 'page' | 'frame' | undefined;
  }
}

/** Lists of handlers are sorted by the workers page alone; links with an icon are drawn by the frame of every page. */
async function breakable(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { sort, map } = Array.prototype;
    const fails = (part: Window['broken'], one: unknown, has: string) => {
      if (window.broken === part && one instanceof Object && has in one)
        throw new Error(`The ${part} fails.`);
    };
    Object.assign(Array.prototype, {
      sort(this: unknown[], ...rest: Parameters<typeof sort>) {
        fails('page', this[0], 'versions');
        return sort.apply(this, rest);
      },
      map(this: unknown[], ...rest: Parameters<typeof map>) {
        fails('frame', this[0], 'Icon');
        return map.apply(this, rest);
      },
    });
  });
}

const breakDown = (page: Page, part: Window['broken']): Promise<void> =>
  page.evaluate((name) => {
    window.broken = name;
  }, part);

/** The frame renders again when another page is opened; at rest it may not for minutes. */
async function breakFrame(page: Page): Promise<void> {
  // Until the page's script answers, the link would load another document, in which nothing is broken.
  await expect(page.locator('[data-slot=connection]')).toHaveAttribute('data-kind', 'live');
  await page.evaluate(() => {
    window.broken = 'frame';
    document.querySelector<HTMLElement>('nav a[href$="/schedules"]')?.click();
  });
}
const schedules = (page: Page) => page.getByRole('heading', { name: 'Schedules', level: 1 });

/** Of the workers page, when it is whole. */
const jobTypes = (page: Page) => page.getByRole('list', { name: 'Job types' }).first();

/** What is shown instead is sound in either theme, and the page comes back when it is tried again. */
async function expectWayBack(page: Page, whole = jobTypes(page)): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await objections(page, { all: true }), colorScheme).toEqual([]);
  }
  await breakDown(page, undefined);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(whole).toBeVisible();
}

test.beforeEach(async ({ page, request }) => {
  await setLab(request, { ...QUIET, workers: 2 });
  await breakable(page);
  await page.goto('/workers');
  // The demo's supervisor may have to start them first.
  await expect(jobTypes(page)).toBeVisible({ timeout: 30_000 });
});

test('a page that fails says so in its place; the others work, and so does trying again', async ({
  page,
}) => {
  await breakDown(page, 'page');
  await expect(page.getByRole('heading', { name: 'This page could not be shown' })).toBeVisible();
  await expect(
    page.getByRole('alert').filter({ hasText: 'An error occurred while rendering it.' }),
  ).toBeVisible();
  await expectWayBack(page);
  await breakDown(page, 'page');
  await expect(page.getByRole('heading', { name: 'This page could not be shown' })).toBeVisible();
  await page.getByRole('link', { name: 'Schedules' }).click();
  await expect(schedules(page)).toBeVisible();
});

test('when what is around every page fails, there is still a sentence and a way back', async ({ page }) => {
  await breakFrame(page);
  await expect(page.getByRole('heading', { name: 'The console could not start this page' })).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: 'workers run without the console' })).toBeVisible();
  await expectWayBack(page, schedules(page));
});

for (const [refusal, refuse] of Object.entries(STORAGE_REFUSALS)) {
  test(`that sentence and the way back are there when storage ${refusal}, too`, async ({ page }) => {
    await page.addInitScript(refuse);
    await page.goto('/workers');
    await expect(jobTypes(page)).toBeVisible();
    await breakFrame(page);
    await expect(page.getByRole('heading', { name: 'The console could not start this page' })).toBeVisible();
    await expectWayBack(page, schedules(page));
  });
}
