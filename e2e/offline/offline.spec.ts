/** A console that is away: a click on a link keeps the page, which says so, and works once the console is back. */
import { expect, test } from '@playwright/test';
import { createBroker } from '../../testing/create-broker';
import { Processes } from '../../testing/worlds/processes';
import { startRealConsole } from '../../testing/worlds/real-console';
import { ANN, signIn, usersJson } from '../user-pages';

const PREFIX = `offline-${Date.now().toString(36)}`;
const QUEUE = 'mail';
const processes = new Processes();
test.afterAll(() => processes.stopAll());

test('B12: while the console is away a click or a shortcut keeps page and banner; later the page opens', async ({
  browser,
}) => {
  const redisUrl = process.env.REDRIVE_E2E_REDIS_URL ?? '';
  const broker = createBroker({ url: redisUrl, prefix: PREFIX });
  await broker.enqueue(QUEUE, { jobId: 'later', jobType: 'email.send', delayMs: 86_400_000 });
  broker.close();
  // The same hash after the second start: with another one her session would end.
  const users = await usersJson([ANN]);
  const start = (port?: number) =>
    startRealConsole(processes, {
      redisUrl,
      env: { REDRIVE_PREFIX: PREFIX, AUTH: 'local', REDRIVE_USERS: users },
      name: 'the console that goes away',
      ...(port ? { port } : {}),
    });
  const first = await start();
  const context = await browser.newContext({
    baseURL: first.url,
    storageState: await signIn(first.url, ANN),
  });
  const page = await context.newPage();
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

  first.process.kill();
  await expect(page.getByText('The console cannot be reached.').first()).toBeVisible();
  const workers = page.getByRole('link', { name: 'Workers' }).first();
  await workers.click();
  await expect(page.getByText('The page was not opened')).toBeVisible();
  await expect(page).toHaveURL(`${first.url}/`);
  await expect(row).toBeVisible();
  await expect(page.locator('main')).toBeVisible();
  await expect(page.getByText('This page shows data from')).toBeVisible();
  // The keys and the finder keep it, too.
  await expect(page.getByText('The page was not opened')).toBeHidden();
  await page.keyboard.press('g');
  await page.keyboard.press('w');
  await expect(page.getByText('The page was not opened')).toBeVisible();
  await expect(page).toHaveURL(`${first.url}/`);
  await expect(row).toBeVisible();

  await start(first.port);
  await expect(page.locator('[data-slot=connection][data-kind=live]')).toBeVisible({ timeout: 60_000 });
  await workers.click();
  await expect(page.getByRole('heading', { name: 'Workers', level: 1 })).toBeVisible();
  await context.close();
});
