/** While the console does not answer, nothing that was seen is taken away, and nothing old looks like now. */
import { expect, test } from '@playwright/test';
import { createBroker } from '../../testing/create-broker';
import { Processes } from '../../testing/worlds/processes';
import { startRealConsole } from '../../testing/worlds/real-console';
import { ANN, signIn, usersJson } from '../user-pages';

const PREFIX = `stale-${Date.now().toString(36)}`;
const processes = new Processes();
test.afterAll(() => processes.stopAll());

test('charts stay, marked as stale, and the verdict is not green', async ({ browser }) => {
  const redisUrl = process.env.REDRIVE_E2E_REDIS_URL ?? '';
  const broker = createBroker({ url: redisUrl, prefix: PREFIX });
  await broker.enqueue('mail', { jobId: 'later', jobType: 'email.send', delayMs: 86_400_000 });
  broker.close();
  // The same hash after the second start: with another one her session would end.
  const env = { REDRIVE_PREFIX: PREFIX, AUTH: 'local', REDRIVE_USERS: await usersJson([ANN]) };
  const start = (port?: number) =>
    startRealConsole(processes, {
      redisUrl,
      env,
      name: 'the console that goes away',
      ...(port ? { port } : {}),
    });
  const first = await start();
  const context = await browser.newContext({
    baseURL: first.url,
    storageState: await signIn(first.url, ANN),
  });
  const page = await context.newPage();
  await page.clock.install();
  await page.goto('/');
  await expect(page.locator('[data-slot=connection][data-kind=live]')).toBeVisible();
  const chart = page.locator('main .recharts-surface').first();
  await expect(chart).toBeVisible();
  const verdict = page.getByRole('region', { name: 'Verdict' });
  await expect(verdict).toHaveAttribute('data-level', 'ok');

  first.process.kill();
  // Each minute another stretch of time is asked for, and refused.
  await expect(async () => {
    await page.clock.fastForward(60_000);
    await expect(page.getByText('Stale: newer minutes could not be read.')).toBeVisible({ timeout: 15_000 });
  }).toPass();
  await expect(chart).toBeVisible();
  await expect(page.getByText('The history could not be loaded.')).toBeHidden();
  await expect(verdict).toHaveAttribute('data-level', 'stale');
  await expect(verdict).toContainText('Last known:');

  await start(first.port);
  await expect(async () => {
    await page.clock.fastForward(30_000);
    await expect(verdict).toHaveAttribute('data-level', 'ok', { timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
  await context.close();
});
