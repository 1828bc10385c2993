/** Workers under the operator's hand: quiet and resume one, stop another, and a group of them. */
import { expect, type Page, test } from '@playwright/test';
import { enqueueMails, QUIET, queueOf, setLab } from '../api-requests';

const card = (page: Page, id: string) => page.getByRole('article', { name: `Worker ${id}` });

test('quiet all workers with a reason, see it, resume one, stop another', async ({ page, request }) => {
  await setLab(request, { ...QUIET, workers: 2 });
  await page.goto('/workers');
  const cards = page.getByRole('region', { name: 'Alive' }).getByRole('article');
  await expect(cards.filter({ hasText: 'Running' })).toHaveCount(2, { timeout: 30_000 });
  const names = await cards
    .filter({ hasText: 'Running' })
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''));
  const [first = '', second = ''] = names.map((name) => name.replace('Worker ', ''));

  await page.getByRole('button', { name: 'Quiet or stop…' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('All 2 workers');
  const confirm = dialog.getByRole('button', { name: 'Quiet', exact: true });
  await expect(confirm).toBeDisabled();
  await dialog.getByLabel('Reason').fill('Wrong tax in this release');
  await confirm.click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Asked 2 workers to take no new jobs.')).toBeVisible();
  for (const id of [first, second]) {
    await expect(card(page, id).getByText('Quiet', { exact: true })).toBeVisible();
    await expect(card(page, id)).toContainText('Wrong tax in this release');
  }

  const before = (await queueOf(request, 'default')).totals.claimed;
  await enqueueMails(request, 5);
  await expect.poll(async () => (await queueOf(request, 'default')).counts.ready).toBe(5);
  expect((await queueOf(request, 'default')).totals.claimed).toBe(before);

  await page.getByRole('button', { name: `Resume ${first}` }).click();
  await dialog.getByLabel('Reason').fill('Rolled back');
  await dialog.getByRole('button', { name: 'Resume', exact: true }).click();
  await expect(card(page, first).getByText('Running', { exact: true })).toBeVisible();
  await expect.poll(async () => (await queueOf(request, 'default')).counts.ready).toBe(0);

  await page.getByRole('button', { name: `Stop ${second}` }).click();
  await expect(dialog).toContainText('exits with code 0');
  await dialog.getByLabel('Reason').fill('Replaced');
  await dialog.getByRole('button', { name: 'Stop', exact: true }).click();
  const ended = page.getByRole('region', { name: 'Ended workers' });
  await expect(ended.getByRole('row').filter({ hasText: second })).toContainText('stopped on request');
  // The demo's supervisor starts another: what ends with 0 is no crash.
  await expect(cards.filter({ hasText: 'Running' })).toHaveCount(2, { timeout: 30_000 });
});
