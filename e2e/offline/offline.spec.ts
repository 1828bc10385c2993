/** A console that is away: a click on a link keeps the page, which says so, and works once the console is back. */
import { expect, test } from '@playwright/test';
import { QUEUE, setUpRestartableConsole } from './restartable-console';

const openConsole = setUpRestartableConsole('offline');

test('B12: while the console is away a click or a shortcut keeps page and banner; later the page opens', async ({
  browser,
}) => {
  const { url, page, kill, restart } = await openConsole(browser);
  // Pages load what shows notices a few seconds after they have opened.
  const notices = page.waitForResponse(
    async (answer) => answer.url().endsWith('.js') && (await answer.text()).includes('data-sonner-toaster'),
    { timeout: 90_000 },
  );
  await page.goto('/');
  const row = page.locator(`[data-queue=${QUEUE}]`).first();
  await expect(row).toBeVisible();
  await expect(page.locator('[data-slot=connection][data-kind=live]')).toBeVisible();
  await notices;

  kill();
  await expect(page.getByText('The console cannot be reached.').first()).toBeVisible();
  const workers = page.getByRole('link', { name: 'Workers' }).first();
  await workers.click();
  await expect(page.getByText('The page was not opened')).toBeVisible();
  await expect(page).toHaveURL(`${url}/`);
  await expect(row).toBeVisible();
  await expect(page.locator('main')).toBeVisible();
  await expect(page.getByText('This page shows data from')).toBeVisible();
  // The keys and the finder keep it, too.
  await expect(page.getByText('The page was not opened')).toBeHidden();
  await page.keyboard.press('g');
  await page.keyboard.press('w');
  await expect(page.getByText('The page was not opened')).toBeVisible();
  await expect(page).toHaveURL(`${url}/`);
  await expect(row).toBeVisible();

  await restart();
  await expect(page.locator('[data-slot=connection][data-kind=live]')).toBeVisible({ timeout: 60_000 });
  await workers.click();
  await expect(page.getByRole('heading', { name: 'Workers', level: 1 })).toBeVisible();
  await page.context().close();
});
