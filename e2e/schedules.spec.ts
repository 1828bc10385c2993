/** Schedules in the browser: made with a preview, seen to run, paused, changed and deleted. */

import { type APIRequestContext, expect, type Locator, type Page, test } from '@playwright/test';
import { type Schedule, scheduleSchema } from '../lib/contract/schedules/schedule-schemas';
import { get, job, QUIET, setLab } from './api-requests';
import { objections } from './axe';

async function schedule(request: APIRequestContext, id: string): Promise<Schedule> {
  return scheduleSchema.parse(await (await get(request, `/api/v1/schedules/${id}`)).json());
}
const rowOf = (page: Page, id: string): Locator => page.getByRole('row').filter({ hasText: id });

test('a schedule is made in the browser, runs, is paused, changed, run by hand and deleted', async ({
  page,
  request,
}) => {
  await setLab(request, QUIET);
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Schedules' }).click();
  await page.getByRole('button', { name: 'New schedule' }).first().click();
  const dialog = page.getByRole('dialog');
  const next = dialog.getByRole('region', { name: 'Next runs' });

  // What is wrong is said beside its field while it is typed, and what is right is previewed.
  await dialog.getByLabel('Cron expression').fill('0 25 * * *');
  await expect(dialog.getByLabel('Cron expression')).toHaveAttribute('aria-invalid', 'true');
  await expect(dialog.getByRole('alert').first()).toContainText('field 2 (hour)');
  await dialog.getByLabel('Cron expression').fill('30 2 * * *');
  await dialog.getByLabel('Time zone').fill('Europe/Berlin');
  await expect(next).toContainText('Every day at 02:30');
  await expect(next.getByRole('listitem')).toHaveCount(10);
  await expect(next).toContainText('Clocks in Europe/Berlin go');

  // Missing fields keep it from being sent.
  await dialog.getByRole('button', { name: 'Create schedule' }).click();
  await expect(dialog.getByLabel('Id', { exact: true })).toHaveAttribute('aria-invalid', 'true');

  await dialog.getByRole('radio', { name: 'Interval' }).click();
  await dialog.getByLabel('Every', { exact: true }).fill('1');
  await dialog.getByLabel('Unit').selectOption('seconds');
  await dialog.getByLabel('Id', { exact: true }).fill('e2e-mails');
  await dialog.getByLabel('Queue').fill('default');
  await dialog.getByLabel('Job type').fill('email.send');
  await dialog.getByLabel('Payload').fill('{"to":"a@acme.example","template":"welcome","locale":"en"}');
  await expect(next.getByRole('listitem')).toHaveCount(10);
  await dialog.getByRole('button', { name: 'Create schedule' }).click();
  await expect(dialog).toBeHidden();

  // It runs: each slot one job, and the demo's workers complete it.
  const row = rowOf(page, 'e2e-mails');
  await expect(row).toContainText('Every second');
  await expect(row.getByRole('link', { name: /enqueued|waiting|running|completed|dead/ })).toBeVisible({
    timeout: 20_000,
  });
  await expect.poll(async () => (await schedule(request, 'e2e-mails')).entered).toBeGreaterThanOrEqual(3);
  const { last } = await schedule(request, 'e2e-mails');
  await expect.poll(async () => (await job(request, 'default', last?.jobId ?? '')).state).toBe('completed');

  await row.getByRole('button', { name: 'Pause e2e-mails' }).click();
  await page.getByRole('alertdialog').getByLabel('Reason (optional)').fill('Enough mail');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Pause schedule' }).click();
  await expect(row.getByText('Paused')).toBeVisible();
  const paused = await schedule(request, 'e2e-mails');
  expect(paused).toMatchObject({ paused: true, nextAt: null, reason: 'Enough mail' });

  await row.getByRole('button', { name: 'More actions for e2e-mails' }).click();
  await page.getByRole('menuitem', { name: 'Change…' }).click();
  await expect(dialog.getByLabel('Payload')).toHaveValue(/welcome/);
  await dialog.getByLabel('Every', { exact: true }).fill('2');
  await dialog.getByLabel('Unit').selectOption('hours');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(dialog).toBeHidden();
  await expect(row).toContainText('Every 2 hours');

  await row.getByRole('button', { name: 'Run e2e-mails now' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Run now' }).click();
  await expect(page.getByText(/e2e-mails\.run\./)).toBeVisible();
  // Nothing came in by the clock meanwhile.
  expect((await schedule(request, 'e2e-mails')).entered).toBe(paused.entered);

  await row.getByRole('button', { name: 'Resume e2e-mails' }).click();
  await expect(row.getByText('Paused')).toBeHidden();
  expect((await schedule(request, 'e2e-mails')).nextAt).toBeGreaterThan(Date.now());

  await row.getByRole('button', { name: 'More actions for e2e-mails' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  const sure = page.getByRole('alertdialog');
  await expect(sure.getByRole('button', { name: 'Delete schedule' })).toBeDisabled();
  await sure.getByLabel(/Type e2e-mails to confirm/).fill('e2e-mails');
  await sure.getByRole('button', { name: 'Delete schedule' }).click();
  // Behind an open dialog no row has a role, so the row counts as hidden until the dialog is closed.
  await expect(sure).toBeHidden();
  await expect(row).toBeHidden();
  expect((await get(request, '/api/v1/schedules/e2e-mails')).status()).toBe(404);
});

test('the page can be worked by keyboard alone', async ({ page, request }) => {
  const timing = { cron: '0 9 * * MON-FRI', timeZone: 'Europe/Berlin' };
  await request.post('/api/v1/schedules', {
    data: { id: 'by-keyboard', queue: 'default', timing, job: { jobType: 'email.send' } },
  });
  await page.goto('/schedules');
  const row = rowOf(page, 'by-keyboard');
  await expect(row).toContainText('Monday to Friday at 09:00');
  await row.getByRole('button', { name: 'Pause by-keyboard' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await row.getByRole('button', { name: 'More actions for by-keyboard' }).focus();
  await page.keyboard.press('Enter');
  // The menu's script loads when it is first opened.
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toContainText('Change by-keyboard');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await request.delete('/api/v1/schedules/by-keyboard');
});

for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [390, 1440])
    test(`page and dialog are accessible and fit the screen (${colorScheme}, ${width})`, async ({
      browser,
      request,
      baseURL,
    }) => {
      const make = (id: string, rest: object) =>
        request.post('/api/v1/schedules', {
          data: { id, queue: 'default', job: { jobType: 'email.send' }, ...rest },
        });
      await make('look-1', { timing: { cron: '0 9 * * *', timeZone: 'America/New_York' } });
      await make('look-2', { timing: { everyMs: 3_600_000 } });
      await request.post('/api/v1/schedules/look-2/pause', { data: { reason: 'Look' } });
      const context = await browser.newContext({
        baseURL,
        colorScheme,
        viewport: { width, height: 850 },
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      const check = async () => {
        expect(await objections(page)).toEqual([]);
        const over = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(over).toBeLessThanOrEqual(0);
      };
      await page.goto('/schedules');
      await expect(rowOf(page, 'look-2').getByText('Paused')).toBeVisible();
      await check();
      await page.getByRole('button', { name: 'New schedule' }).first().click();
      await expect(page.getByRole('region', { name: 'Next runs' }).getByRole('listitem')).toHaveCount(10);
      await check();
      expect(errors).toEqual([]);
      await context.close();
      for (const id of ['look-1', 'look-2']) await request.delete(`/api/v1/schedules/${id}`);
    });

test('B12: a schedule whose job type no worker knows says so in the list, in its dialog and on a phone', async ({
  page,
  request,
}) => {
  const id = `sned-${Date.now().toString(36)}`;
  // A queue that the demo's workers serve. It never fires.
  const made = await request.post('/api/v1/schedules', {
    data: { id, queue: 'default', timing: { cron: '0 0 1 1 *' }, job: { jobType: 'email.sned' } },
  });
  expect(made.status()).toBe(201);
  await page.setViewportSize({ width: 1_440, height: 900 });
  await page.goto(`/schedules?q=${id}`);
  const row = rowOf(page, id);
  await expect(row).toContainText('unknown type');
  expect(await objections(page)).toEqual([]);
  await row.getByRole('button', { name: id, exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('No worker of default knows the job type email.sned.');
  await page.keyboard.press('Escape');
  // Before it is made, too.
  await page.getByRole('button', { name: 'New schedule' }).click();
  const form = page.getByRole('dialog', { name: 'New schedule' });
  await form.getByLabel('Queue').fill('default');
  await form.getByLabel('Job type').fill('email.sned');
  await expect(form).toContainText('No worker of default knows the job type email.sned.');
  await form.getByLabel('Job type').fill('email.send');
  await expect(form).not.toContainText('No worker of default');
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(row.getByTitle('No worker of default knows the job type email.sned.').first()).toBeVisible();
  await request.patch(`/api/v1/schedules/${id}`, {
    data: { job: { jobType: 'email.send' } },
  });
  await expect(row).not.toContainText('unknown type', { timeout: 20_000 });
  await request.delete(`/api/v1/schedules/${id}`, { data: {} });
});
