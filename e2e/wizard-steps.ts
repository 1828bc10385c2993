/** The wizard by hand, for the browser tests. */
import { expect, type Page } from '@playwright/test';

export const wizard = (page: Page) => page.getByRole('dialog');
const next = (page: Page) => wizard(page).getByRole('button', { name: 'Continue' });

/** From the open wizard's preview to its last step. A single job has no rate. */
export async function toConfirm(page: Page): Promise<void> {
  await expect(
    wizard(page)
      .getByText(/match(es)?\b/)
      .first(),
  ).toBeVisible({ timeout: 30_000 });
  await next(page).click();
  const rate = wizard(page).getByRole('heading', { name: /: Rate$/ });
  const last = wizard(page).getByRole('heading', { name: /: Confirm$/ });
  await expect(rate.or(last)).toBeAttached();
  if ((await last.count()) === 0) await next(page).click();
}

/** Gives the reason (and the number, when it is asked for), and presses the last button. */
export async function confirm(page: Page, reason: string): Promise<void> {
  const dialog = wizard(page);
  await dialog.getByLabel('Reason').fill(reason);
  const typed = dialog.getByLabel(/^Type .* to confirm$/);
  if (await typed.isVisible()) {
    const label = await dialog.locator('label', { hasText: 'to confirm' }).textContent();
    await typed.fill(/\d+/.exec(label ?? '')?.[0] ?? '');
  }
  await dialog.locator('button[type=submit]').click();
}

/** The card that follows across pages, of the operation with this reason. */
export const card = (page: Page, reason: string) =>
  page.getByRole('region', { name: 'Operations under way' }).getByRole('article').filter({ hasText: reason });
