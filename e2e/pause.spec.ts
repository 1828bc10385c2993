/** T3: stop the bleeding. A queue is paused with a reason, nothing of it is claimed, and resuming lets go. */
import { expect, test } from '@playwright/test';
import { enqueueMails, QUIET, queueOf, setLab } from './api-requests';
import { countHands } from './count-hands';

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

  // From the page an operator opens first.
  const hands = await countHands(page, 'T3, from the overview to a paused queue');
  await page.goto('/');
  await page.getByRole('link', { name: 'default', exact: true }).first().click();
  await page.getByRole('button', { name: 'Pause…' }).click();
  await expect(page.getByRole('dialog').getByLabel('Reason')).toBeFocused();
  await page.keyboard.insertText('Mail provider is down');
  await page.getByRole('button', { name: 'Pause queue' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  expect((await hands()).clicks).toBeLessThanOrEqual(3);

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

test('T3: by keyboard alone; the link of the dialog opens it again', async ({ page, request, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await enqueueMails(request, 1);
  const hands = await countHands(page, 'T3, by keyboard from the overview');
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'default', exact: true }).first()).toBeVisible();
  const find = async (text: string, first: RegExp) => {
    const box = page.getByRole('combobox', { name: 'Find' });
    await expect(async () => {
      await page.keyboard.press('ControlOrMeta+k');
      await expect(box).toBeFocused({ timeout: 2_000 });
    }).toPass();
    await page.keyboard.type(text);
    await expect(page.getByRole('dialog', { name: 'Find' }).getByRole('option').first()).toHaveText(first);
    await page.keyboard.press('Enter');
  };
  await find('default', /default/);
  await expect(page).toHaveURL(/\/queues\/default/);
  await expect(page.getByRole('button', { name: 'Pause…' })).toBeEnabled();
  await find('Pause…', /Pause…/);
  const reason = page.getByRole('dialog').getByLabel('Reason');
  await expect(reason).toBeFocused();
  await page.keyboard.type('Typed: mail provider is down');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Pauses' })).toContainText('Typed: mail provider is down');
  expect((await hands()).clicks).toBe(0);
  await request.post('/api/v1/queues/default/resume', { data: {} });

  await page.getByRole('button', { name: 'Pause…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Copy link' }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.keyboard.press('Escape');
  await expect(page).not.toHaveURL(/dialog=/);
  await page.goto('/workers');
  await page.goto(link);
  await expect(reason).toBeFocused();
});
