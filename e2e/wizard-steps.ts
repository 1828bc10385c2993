/** The wizard by hand, for the browser tests: what a person clicks, counted. */
import { expect, type Page } from '@playwright/test';

export const wizard = (page: Page) => page.getByRole('dialog');
const next = (page: Page) => wizard(page).getByRole('button', { name: 'Continue' });

/** From the open wizard's preview to its last step: two clicks. */
export async function toConfirm(page: Page): Promise<number> {
  await expect(
    wizard(page)
      .getByText(/match(es)?\b/)
      .first(),
  ).toBeVisible({ timeout: 30_000 });
  await next(page).click();
  await expect(wizard(page).getByRole('heading', { name: /: Rate$/ })).toBeAttached();
  await next(page).click();
  return 2;
}

/** Gives the reason (and the number, when it is asked for), and presses the last button: one click. */
export async function confirm(page: Page, reason: string): Promise<number> {
  const dialog = wizard(page);
  await dialog.getByLabel('Reason').fill(reason);
  const typed = dialog.getByLabel(/^Type .* to confirm$/);
  if (await typed.isVisible()) {
    const label = await dialog.locator('label', { hasText: 'to confirm' }).textContent();
    await typed.fill(/\d+/.exec(label ?? '')?.[0] ?? '');
  }
  await dialog.locator('button[type=submit]').click();
  return 1;
}

/** The card that follows across pages, of the operation with this reason. */
export const card = (page: Page, reason: string) =>
  page.getByRole('region', { name: 'Operations under way' }).getByRole('article').filter({ hasText: reason });
