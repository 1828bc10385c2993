import { expect, type Page } from '@playwright/test';

/** Nothing on the page, as it is now, makes it wider than the screen. */
export async function expectFits(page: Page, where: string): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `${where} is wider than the screen`).toBeLessThanOrEqual(0);
}
