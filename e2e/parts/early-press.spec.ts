/** A page is on show before its script answers; what was pressed meanwhile is not lost. */
import { expect, type Page, test } from '@playwright/test';

/** The page as HTML: its scripts come when the answer is called. */
async function withoutScripts(page: Page, path: string): Promise<() => Promise<void>> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/_next/static/**/*.js*', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(path, { waitUntil: 'commit' });
  return async () => {
    release();
    await page.unrouteAll({ behavior: 'wait' });
  };
}

const account = (page: Page) => page.getByRole('button', { name: /^You are/ });

for (const presses of [1, 2])
  test(`a menu that was pressed ${presses} times before the script was here opens once`, async ({ page }) => {
    const release = await withoutScripts(page, '/schedules');
    for (let n = 0; n < presses; n += 1) await account(page).click();
    await release();
    await expect(page.getByRole('menu')).toBeVisible();
    await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
  });

test('a press after the page answers counts once', async ({ page }) => {
  await page.goto('/schedules');
  await account(page).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toBeHidden();
});
