import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'];

/**
 * What axe finds wrong with a page as it is now: the rule, and the first element it is about.
 * @param within a selector: only that part of it
 * @param all what is only good practice counts, too
 * @param colors only colour contrast: what a second colour scheme can break
 */
export async function objections(
  page: Page,
  { within, all = false, colors = false }: { within?: string; all?: boolean; colors?: boolean } = {},
): Promise<string[]> {
  // Our pages have no frames, so it need not open a page of its own for each report to join theirs.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  if (within !== undefined) axe.include(within);
  if (colors) axe.withRules('color-contrast');
  else if (!all) axe.withTags(WCAG);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
}

/** Nothing on the page makes it wider than the screen. Charts follow a new width a moment later. */
export async function expectFits(page: Page, where: string): Promise<void> {
  await expect
    .poll(
      () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      { message: `${where} is wider than the screen` },
    )
    .toBeLessThanOrEqual(0);
}
