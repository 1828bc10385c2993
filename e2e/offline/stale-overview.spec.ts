/** While the console does not answer, nothing that was seen is taken away, and nothing old looks like now. */
import { expect, test } from '@playwright/test';
import { enqueueMails, QUIET, setLab } from '../api-requests';

test('charts stay, marked as stale, and the verdict is not green', async ({ page, request }) => {
  await setLab(request, QUIET);
  await enqueueMails(request, 1);
  await page.clock.install();
  await page.goto('/');
  await expect(page.locator('[data-slot=connection][data-kind=live]')).toBeVisible();
  const chart = page.locator('main .recharts-surface').first();
  await expect(chart).toBeVisible();
  await page.route('**/api/v1/**', (route) => route.abort());
  // The open stream ends as well.
  await page.context().setOffline(true);
  const verdict = page.getByRole('region', { name: 'Verdict' });
  // Each minute another stretch of time is asked for, and refused.
  await expect(async () => {
    await page.clock.fastForward(60_000);
    await expect(page.getByText('Stale: newer minutes could not be read.')).toBeVisible({ timeout: 15_000 });
  }).toPass();
  await expect(chart).toBeVisible();
  await expect(page.getByText('The history could not be loaded.')).toBeHidden();
  await expect(verdict).toHaveAttribute('data-level', 'stale');
  await expect(verdict).toContainText('Last known:');

  await page.context().setOffline(false);
  await page.unroute('**/api/v1/**');
  await expect(async () => {
    await page.clock.fastForward(30_000);
    await expect(verdict).not.toHaveAttribute('data-level', 'stale', { timeout: 2_000 });
  }).toPass();
});
