/** T5: a crash loses nothing, and anyone can watch it. */
import { expect, test } from '@playwright/test';
import { LAB_QUEUES } from '../lib/contract/lab/lab-settings';
import { labSettings, overview, QUIET, setLab, snapshots } from './api-requests';
import { countHands } from './count-hands';

test('T5: turn crashes up, see workers die and their jobs come back, and the ledger balance', {
  tag: '@smoke',
}, async ({ page, request }) => {
  await setLab(request, { ...QUIET, workers: 3, runTimeMs: 300, trafficPerSecond: 10, maxAttempts: 30 });
  const hands = await countHands(page, 'T5, from the lab to crashed workers and a balanced ledger');
  await page.goto('/lab');
  const slots = page.getByRole('listitem', { name: /^Worker \d+$/ });
  await expect(slots).toHaveCount(3);
  await expect(slots.filter({ hasText: 'Running' }).first()).toBeVisible();

  const crash = page.getByRole('slider', { name: 'Crash', exact: true });
  await crash.focus();
  // A slider by keyboard: a mouse would take one press.
  for (const percent of ['10', '20', '30']) {
    await page.keyboard.press('PageUp');
    await expect(crash).toHaveValue(percent);
  }

  const died = page.locator('li[data-hurt]');
  await expect(died.first()).toBeVisible({ timeout: 20_000 });
  await expect(died.first()).toContainText('SIGKILL');
  await expect(died.first()).toContainText('reclaimed');
  await expect(page.getByText(/pid \d+/).first()).toBeVisible();
  await expect(page.getByText('Balances: no job was lost')).toBeVisible();
  expect(await hands()).toEqual({ clicks: 0, keys: 3 });

  await crash.focus();
  await page.keyboard.press('Home');
  await expect(crash).toHaveValue('0');
  // The page saves its settings whole, a moment later: only then is it our turn to change one.
  await expect.poll(async () => (await labSettings(request)).crashPercent).toBe(0);
  await setLab(request, { trafficPerSecond: 0 });
  await expect(slots.filter({ hasText: 'Running' })).toHaveCount(3, { timeout: 30_000 });
  // Everything that was in flight when its worker died has come back and ended.
  await expect
    .poll(
      async () => {
        const queues = (await overview(request)).queues.filter(({ queue }) => queue in LAB_QUEUES);
        return queues.reduce(
          (sum, q) => sum + q.counts.ready + q.counts['in-flight'] + q.counts.retry + q.counts.scheduled,
          0,
        );
      },
      { timeout: 60_000 },
    )
    .toBe(0);
  const queues = await snapshots(request);
  expect(queues.reduce((sum, q) => sum + q.totals.reclaimed, 0)).toBeGreaterThan(0);
  expect(queues.every((q) => q.ledger.difference === 0)).toBe(true);
  await expect(page.getByText('Balances: no job was lost')).toBeVisible();
});

test('worker count and a burst follow the page', async ({ page, request }) => {
  await setLab(request, { ...QUIET, workers: 1, runTimeMs: 20 });
  await page.goto('/lab');
  await expect(page.getByRole('listitem', { name: /^Worker \d+$/ })).toHaveCount(1);
  await page.getByRole('slider', { name: 'Workers' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('listitem', { name: /^Worker \d+$/ })).toHaveCount(2);
  const before = (await snapshots(request)).reduce((sum, q) => sum + q.totals.enqueued, 0);
  await page.getByRole('button', { name: 'Burst of 100 jobs' }).click();
  await expect
    .poll(async () => (await snapshots(request)).reduce((sum, q) => sum + q.totals.enqueued, 0))
    .toBe(before + 100);
});

test('a drill runs on the page: its score fills while it runs, and it recovers without a lost job', async ({
  page,
  request,
}) => {
  test.setTimeout(300_000);
  await setLab(request, { ...QUIET, workers: 2, maxAttempts: 30 });
  await page.goto('/lab');
  const headline = page.getByRole('region', { name: 'Crashes and lost jobs' });
  await headline.getByRole('button', { name: 'Reset' }).click();
  await expect(headline).toContainText(/0\s*crashes·0\s*jobs reclaimed·0\s*lost/);
  await page.getByRole('button', { name: 'Crash storm' }).click();
  const plan = page.getByRole('region', { name: 'Crash storm' });
  await expect(plan).toContainText('SIGKILL');
  const score = page.getByRole('region', { name: 'Score' });
  const lineOf = (label: string) => score.locator('dl > div').filter({ hasText: label });
  await plan.getByRole('button', { name: 'Start the drill' }).click();
  await expect(page.getByText('Crash storm is running')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Slow consumer' })).toBeDisabled();
  await expect(lineOf('Time to notice')).toContainText(/\d/, { timeout: 60_000 });
  await expect(lineOf('Runs hurt')).toContainText(/[1-9]\d* lost/, { timeout: 60_000 });
  await expect(headline).toContainText(/[1-9]\d*\s*crash/);
  await plan.getByRole('button', { name: 'Stop the crashes' }).click();
  await expect(page.getByText('Crash storm: recovered')).toBeVisible({ timeout: 120_000 });
  await expect(lineOf('Jobs lost')).toHaveText('Jobs lost0');
  await expect(lineOf('Time to recover')).toContainText(/\d/);
  await expect(headline).toContainText(/·0\s*lost/);
  expect((await labSettings(request)).crashPercent).toBe(0);
});
