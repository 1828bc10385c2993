/** T4: put the dead back after the fix, and see them complete. */
import { expect, test } from '@playwright/test';
import { dead, enqueueMails, job, labHeard, QUIET, queueOf, setLab } from './api';

test('re-drive what matches from the dead-letter page; the jobs complete and say who sent them', async ({
  page,
  request,
}) => {
  await setLab(request, { ...QUIET, failPercent: 100 });
  await enqueueMails(request, 80, 1);
  const died = () => dead(request, '?queue=default&tenant=acme&type=email.send');
  // More than a page of them. The first few may have run before the workers heard of the new rate.
  await expect
    .poll(async () => (await died()).matching.count, { timeout: 45_000 })
    .toBeGreaterThanOrEqual(55);
  await expect.poll(async () => (await queueOf(request, 'default')).counts.ready).toBe(0);
  await setLab(request, QUIET);
  await labHeard(request);
  await expect.poll(async () => (await queueOf(request, 'default')).counts['in-flight']).toBe(0);
  const { matching, jobs } = await died();
  const one = jobs[0];
  if (!one) throw new Error('no dead job');

  await page.goto('/dead?queue=default&tenant=acme&type=email.send');
  await expect(page.getByText(`${matching.count} dead letters match`)).toBeVisible();
  await page
    .getByRole('checkbox', { name: /select all|all on this page|every/i })
    .first()
    .click();
  const everything = page.getByRole('button', { name: /that match$/ });
  if (matching.count > 50) await everything.click();
  await page.getByRole('button', { name: 'Re-drive…' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText(`Re-drive ${matching.count} jobs?`);
  await expect(dialog).toContainText('attempts reset');
  await dialog.getByLabel('Reason').fill('Mail provider is back');
  await dialog.getByRole('button', { name: /^Re-drive/ }).click();
  await expect(dialog).toBeHidden();

  await expect.poll(async () => (await died()).matching.count, { timeout: 30_000 }).toBe(0);
  await expect
    .poll(async () => (await job(request, one.queue, one.jobId)).state, { timeout: 30_000 })
    .toBe('completed');
  await page.goto(`/queues/${one.queue}/jobs/${one.jobId}`);
  await expect(page.getByText('Completed').first()).toBeVisible();
  await expect(page.getByText('Mail provider is back')).toBeVisible();
  await page.goto('/operations');
  await expect(page.getByText('Mail provider is back').first()).toBeVisible();
  expect((await queueOf(request, 'default')).ledger.difference).toBe(0);
});

test('one job is purged and comes back from the trash', async ({ page, request }) => {
  await setLab(request, { ...QUIET, failPercent: 100 });
  await enqueueMails(request, 60);
  await expect
    .poll(async () => (await dead(request, '?queue=default')).matching.count, { timeout: 45_000 })
    .toBeGreaterThanOrEqual(5);
  await setLab(request, QUIET);
  await page.goto('/dead?queue=default');
  await page
    .getByRole('checkbox', { name: /^Select job/ })
    .first()
    .click();
  await expect(page.getByText('1 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Purge…' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('It can be restored until its grace ends');
  await dialog.getByLabel('Reason').fill('Test data');
  await dialog.getByRole('button', { name: /^Purge/ }).click();
  await expect(dialog).toBeHidden();
  await page.goto('/queues/default?state=trashed');
  await page.getByRole('table').getByRole('link').first().click();
  await page.getByRole('button', { name: 'Restore' }).click();
  const confirm = page.getByRole('alertdialog');
  await confirm.getByRole('button', { name: /^Restore/ }).click();
  await expect(page.getByText('Dead').first()).toBeVisible();
});
