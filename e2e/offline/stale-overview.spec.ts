/** While the console does not answer, nothing that was seen is taken away, and nothing old looks like now. */
import { expect, test } from '@playwright/test';
import { setUpRestartableConsole } from './restartable-console';

const openConsole = setUpRestartableConsole('stale');

test('charts stay, marked as stale, and the verdict is not green', async ({ browser }) => {
  const { page, kill, restart } = await openConsole(browser);
  await page.clock.install();
  await page.goto('/');
  await expect(page.locator('[data-slot=connection][data-kind=live]')).toBeVisible();
  const chart = page.locator('main .recharts-surface').first();
  await expect(chart).toBeVisible();
  const verdict = page.getByRole('region', { name: 'Verdict' });
  await expect(verdict).toHaveAttribute('data-level', 'ok');

  kill();
  // Each minute another stretch of time is asked for, and refused.
  await expect(async () => {
    await page.clock.fastForward(60_000);
    await expect(page.getByText('Stale: newer minutes could not be read.')).toBeVisible({ timeout: 15_000 });
  }).toPass();
  await expect(chart).toBeVisible();
  await expect(page.getByText('The history could not be loaded.')).toBeHidden();
  await expect(verdict).toHaveAttribute('data-level', 'stale');
  await expect(verdict).toContainText('Last known:');

  await restart();
  await expect(async () => {
    await page.clock.fastForward(30_000);
    await expect(verdict).toHaveAttribute('data-level', 'ok', { timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
  await page.context().close();
});
