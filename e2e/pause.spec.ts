/** T3: stop the bleeding. A queue is paused with a reason, nothing of it is claimed, and resuming lets go. */
import { expect, test } from '@playwright/test';
import { enqueueMails, QUIET, queueOf, setLab } from './api-requests';

test('T3: pause a queue from the overview, see who and why on every page, resume', { tag: '@smoke' }, async ({
  page,
  request,
}) => {
  await setLab(request, QUIET);
  await enqueueMails(request, 1);
  // What the demo scheduled before it fell quiet must not come due in between.
  await expect
    .poll(
      async () => {
        const { counts } = await queueOf(request, 'default');
        return counts.ready + counts.scheduled + counts.retry;
      },
      { timeout: 30_000 },
    )
    .toBe(0);

  // Three clicks and a reason, from the page an operator opens first.
  await page.goto('/');
  await page.getByRole('link', { name: 'default', exact: true }).first().click();
  await page.getByRole('button', { name: 'Pause…' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('Mail provider is down');
  await page.getByRole('button', { name: 'Pause queue' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();

  const banner = page.getByRole('region', { name: 'Pauses' });
  await expect(banner).toContainText('Mail provider is down');
  await page.goto('/workers');
  await expect(banner).toContainText('default');
  await expect(banner).toContainText('ann');

  await expect.poll(async () => (await queueOf(request, 'default')).counts['in-flight']).toBe(0);
  const before = await queueOf(request, 'default');
  await enqueueMails(request, 25);
  // Three snapshots that show the jobs: time enough for any of six idle slots to have taken one.
  const seen = new Set<number>();
  await expect
    .poll(async () => {
      const queue = await queueOf(request, 'default');
      if (queue.counts.ready === 25) seen.add(Math.round(queue.oldestReadyAgeMs ?? 0));
      return seen.size;
    })
    .toBeGreaterThanOrEqual(3);
  const paused = await queueOf(request, 'default');
  expect(paused.totals.claimed).toBe(before.totals.claimed);
  expect(paused.counts.ready).toBe(25);

  await page.goto('/queues/default');
  await page.getByRole('button', { name: 'Resume queue default' }).click();
  await expect(banner).toBeHidden();
  await expect.poll(async () => (await queueOf(request, 'default')).counts.ready).toBe(0);
  await expect
    .poll(async () => (await queueOf(request, 'default')).totals.completed)
    .toBe(before.totals.completed + 25);
  expect((await queueOf(request, 'default')).ledger.difference).toBe(0);
});

test('a pause needs a reason, and says so at its field', async ({ page, request }) => {
  await enqueueMails(request, 1);
  await page.goto('/queues/default');
  await page.getByRole('button', { name: 'Pause…' }).click();
  await page.getByRole('button', { name: 'Pause queue' }).click();
  await expect(page.getByRole('dialog').getByLabel('Reason')).toHaveAttribute('aria-invalid', 'true');
  await page.keyboard.press('Escape');
  expect((await queueOf(request, 'default')).pauses).toEqual([]);
});
