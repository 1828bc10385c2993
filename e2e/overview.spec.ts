/** T1: know within five seconds whether anything is wrong. T6: know when the backlog is gone. */
import { expect, test } from '@playwright/test';
import { enqueueMails, QUIET, queueOf, setLab } from './api-requests';
import { countHands } from './count-hands';
import { die, GATEWAY, openBroker } from './dead-jobs';

test('T1: the overview opens on what is wrong, the worst queue first, with the age of its data', {
  tag: '@smoke',
}, async ({ page, request }) => {
  await setLab(request, QUIET);
  const queue = `overview-${Date.now()}`;
  const queues = page.getByRole('region', { name: 'Queues, worst first' }).getByRole('table');
  const verdict = page.getByRole('region', { name: 'Verdict' });
  const broker = openBroker();
  let hands: Awaited<ReturnType<typeof countHands>> | undefined;
  try {
    await die(broker, queue, { ...GATEWAY, count: 1 });
    hands = await countHands(page, 'T1, from the address to the verdict');
    await page.goto('/');
    await expect(queues).toContainText(queue, { timeout: 20_000 });
    await die(broker, queue, { ...GATEWAY, count: 60 });
  } finally {
    broker.close();
  }
  // Not what stands only while its jobs wait.
  const finding = verdict.locator('[data-finding=FAILING]');
  await expect(finding).toContainText(queue, { timeout: 20_000 });
  await expect(verdict).not.toHaveAttribute('data-level', 'ok');
  expect(await hands?.()).toEqual({ clicks: 0, keys: 0 });

  await expect(queues.locator('tbody tr').first()).toContainText(queue);
  await expect(page.locator('[data-slot=connection][data-kind=live]')).toBeVisible();

  // The finding leads to the dead letters it speaks of.
  await finding.getByRole('link').filter({ hasText: queue }).first().click();
  await expect(page).toHaveURL(/\/dead\?q=/);
  await expect(page.getByRole('searchbox').or(page.getByRole('combobox')).first()).toHaveValue(
    `queue:${queue} age:<5m`,
  );
});

test('T6: each queue says how fast jobs come and go, and when its backlog is gone', async ({
  page,
  request,
}) => {
  await setLab(request, { ...QUIET, workers: 1, concurrency: 2, runTimeMs: 200 });
  await enqueueMails(request, 150);
  const hands = await countHands(page, 'T6, from the address to the forecast');
  await page.goto('/');
  const table = page.getByRole('table').filter({ has: page.locator('[data-queue]') });
  const row = table.locator('[data-queue=default]');
  const cell = async (head: string) => {
    const heads = await table.locator('thead th').allTextContents();
    return row.locator('th, td').nth(heads.indexOf(head)).innerText();
  };
  await expect.poll(() => cell('To drain')).toMatch(/^(about|under|growing|shrinking|steady)/);
  expect(await cell('Arrival')).toMatch(/\/s$/);
  expect(await cell('Done')).toMatch(/\/s$/);
  expect(await hands()).toEqual({ clicks: 0, keys: 0 });
  await setLab(request, QUIET);
  await expect
    .poll(async () => (await queueOf(request, 'default')).counts.ready, { timeout: 60_000 })
    .toBe(0);
  await expect.poll(() => cell('To drain')).toBe('–');
});
