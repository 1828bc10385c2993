/** Alerts in the browser, of a console whose rules fire at once and whose channel is a real receiver. */
import { expect, type Page, test } from '@playwright/test';
import { hostileLine } from '../attacks/attacks';
import { expectFits, objections } from '../axe';
import { ANN, VERA } from '../user-pages';
import { setUpAlertConsole } from './alert-console';

const CHANNEL = 'night';
const atOnce = { forSeconds: 0 };
const stack = setUpAlertConsole('alerts', ({ url }) => ({
  channels: [
    {
      name: CHANNEL,
      kind: 'webhook',
      url: `${url}/hook`,
      secret: 'a'.repeat(40),
      levels: ['bad', 'warn'],
    },
  ],
  rules: { NO_WORKERS: atOnce, PAUSED: atOnce },
}));

/** With a job that waits, or the pause would be of a queue that nobody knows. */
async function pause(queue: string, reason: string, by: { actor: string }): Promise<void> {
  await stack().broker.pause(queue, { scope: 'queue', reason }, by);
  await stack().broker.enqueue(queue, { jobId: 'j1', jobType: 'invoice.pay' });
}
/** Its job is done, so that nothing is found about it any more. */
async function leave(queue: string): Promise<void> {
  await stack().broker.resume(queue, 'queue', { actor: 'ann' });
  await work(queue);
}
/** An alert ends some seconds after its finding; until then the same trouble is the same alert. */
const over = (code: string) =>
  expect
    .poll(async () => (await stack().broker.alerts.read()).live.map((alert) => alert.code), {
      timeout: 20_000,
    })
    .not.toContain(code);
async function work(queue: string): Promise<void> {
  const { jobs } = await stack().broker.claim(queue, { worker: 'e2e' });
  await stack().broker.ack(queue, jobs);
}
const closeToast = (page: Page) => page.getByRole('button', { name: 'Close toast' }).click();
const rowOf = (page: Page, code: string) => page.locator(`[data-alert=${code}]`);
const events = () =>
  stack().receiver.received.map(({ body }) => (JSON.parse(body) as { event: string }).event);
const dialogOf = (page: Page) => page.getByRole('alertdialog');

test('an alert fires, is acknowledged and silenced, and ends', async ({ browser }) => {
  const { context, page } = await stack().openAs(browser, ANN);
  await page.goto('/');
  await stack().broker.enqueue('nobody-works', { jobId: 'j1', jobType: 'invoice.pay' });

  // On every page, without a look at the alerts.
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /Alerts/ });
  await expect(link).toContainText('1 alert firing');
  await link.click();
  const row = rowOf(page, 'NO_WORKERS');
  await expect(row).toContainText('nobody-works has no worker, 1 job waiting.');
  await expect(row).toContainText('Firing');
  await expect(row.getByRole('link', { name: /has no worker/ })).toHaveAttribute(
    'href',
    '/queues/nobody-works?state=ready',
  );
  await expect.poll(events).toContain('fired');

  await row.getByRole('button', { name: 'Acknowledge NO_WORKERS' }).click();
  // The address opens the dialog again.
  await page.reload();
  await expect(dialogOf(page)).toContainText('nobody-works has no worker');
  await dialogOf(page).getByLabel('Reason (optional)').fill('Starting one');
  await dialogOf(page).getByRole('button', { name: 'Acknowledge' }).click();
  await expect(row).toContainText('ann takes care');
  await expect(row).toContainText('Starting one');
  await expect(link).not.toContainText('firing');
  await expect.poll(events).toContain('acknowledged');

  await row.getByRole('button', { name: 'Silence NO_WORKERS…' }).click();
  const form = page.getByRole('dialog');
  await expect(form.getByLabel(/^Queue/)).toHaveValue('nobody-works');
  await form.getByRole('radio', { name: '4 h', exact: true }).click();
  await form.getByRole('button', { name: 'Silence', exact: true }).click();
  await expect(form.getByRole('alert')).toContainText('must not be empty');
  await form.getByLabel('Reason').fill('Until noon');
  await form.getByRole('button', { name: 'Silence', exact: true }).click();
  await expect(form).toBeHidden();
  await expect(row).toContainText('Silenced by ann');
  const silences = page.getByRole('region', { name: 'Silences' });
  await expect(silences).toContainText('NO_WORKERS in nobody-works');
  await silences.getByRole('button', { name: 'Remove silence of NO_WORKERS in nobody-works' }).click();
  await dialogOf(page).getByRole('button', { name: 'Remove silence' }).click();
  await expect(silences).toContainText('No silences');

  // A worker takes the job: the finding is gone, and seconds later the alert.
  await work('nobody-works');
  await expect(row).toBeHidden();
  await expect.poll(events).toContain('ended');
  await page.getByRole('navigation', { name: 'Alerts' }).getByRole('link', { name: 'Ended' }).click();
  const ended = page.getByRole('region', { name: 'Ended alerts' }).getByRole('row').nth(1);
  await expect(ended).toContainText('nobody-works has no worker');
  await ended.getByRole('link', { name: 'Deliveries' }).click();
  await expect(page.getByRole('region', { name: 'Deliveries' }).getByRole('row')).toHaveCount(4);
  await context.close();
});

test('a channel is tested, and says why nothing arrived', async ({ browser }) => {
  const { context, page } = await stack().openAs(browser, ANN);
  await page.goto('/alerts?tab=channels');
  const row = page.getByRole('region', { name: 'Channels' }).getByRole('row').filter({ hasText: CHANNEL });
  const send = async () => {
    await row.getByRole('button', { name: `Test ${CHANNEL}` }).click();
    await dialogOf(page).getByRole('button', { name: 'Send test message' }).click();
  };
  await send();
  await expect(page.getByText('Test message sent')).toBeVisible();
  expect(events()).toContain('test');
  await expect(row).toContainText('Sent');
  stack().receiver.answerWith(403);
  await send();
  await expect(page.getByText('The test message was not sent')).toBeVisible();
  stack().receiver.answerWith(200);
  await expect(row).toContainText('Failed');
  const deliveries = page.getByRole('region', { name: 'Deliveries' });
  await expect(deliveries.getByRole('row').filter({ hasText: 'Test' }).first()).toContainText('403');
  await expect(page.getByRole('region', { name: 'Rules' })).toContainText('NO_WORKERS');
  await context.close();
});

test('a viewer sees alerts, and may not answer them', async ({ browser }) => {
  await pause('quiet', 'for viewers', { actor: 'ann' });
  const { context, page } = await stack().openAs(browser, VERA);
  await page.goto('/alerts');
  await expect(rowOf(page, 'PAUSED')).toContainText('quiet is paused by ann: for viewers');
  await expect(page.getByRole('button', { name: /Acknowledge|[Ss]ilence/ })).toHaveCount(0);
  await leave('quiet');
  await expect(rowOf(page, 'PAUSED')).toBeHidden();
  await context.close();
});

test('a browser that was asked to tells of a new alert once, and opens the page on a click', async ({
  browser,
}) => {
  const { context, page } = await stack().openAs(browser, ANN);
  await context.grantPermissions(['notifications']);
  await context.addInitScript(() => {
    const Real = window.Notification;
    const shown: Notification[] = [];
    Object.assign(window, { shown });
    window.Notification = class extends Real {
      // What was granted above: some versions of the browser without a window say `denied` all the same.
      static override readonly permission = 'granted';
      constructor(title: string, options?: NotificationOptions) {
        super(title, options);
        shown.push(this);
      }
    };
  });
  const titles = () =>
    page.evaluate(() => (window as unknown as { shown: Notification[] }).shown.map(({ title }) => title));
  await page.goto('/alerts');
  await page.getByRole('button', { name: 'Notify in this browser' }).click();
  await expect.poll(titles).toEqual(['Notifications are on']);
  await page.goto('/workers');
  await pause('noisy', 'by hand', { actor: 'ann' });
  await expect.poll(titles).toEqual(['Warning: PAUSED']);
  await page.evaluate(() => {
    const [notification] = (window as unknown as { shown: Notification[] }).shown;
    notification?.onclick?.(new Event('click'));
  });
  await expect(page).toHaveURL(/\/alerts$/);
  // Told once: a page that is loaded anew keeps quiet, and so it does when switched off.
  await page.reload();
  await expect(rowOf(page, 'PAUSED')).toBeVisible();
  await page.getByRole('button', { name: 'Stop browser notifications' }).click();
  await expect(page.getByRole('button', { name: 'Notify in this browser' })).toBeVisible();
  expect(await titles()).toEqual([]);
  await leave('noisy');
  await context.close();
});

for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [390, 1440])
    test(`the page takes any text, fits and is accessible (${colorScheme}, ${width})`, async ({
      browser,
    }) => {
      const queue = `${colorScheme}-${width}-`.padEnd(100, 'W');
      await over('PAUSED');
      await pause(queue, hostileLine(300, width), { actor: hostileLine(60, 3) });
      const { context, page } = await stack().openAs(browser, ANN);
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 850 });
      const errors: string[] = [];
      page.on('pageerror', ({ message }) => errors.push(message));
      page.on('dialog', (dialog) => errors.push(dialog.message()));
      const check = async (where: string, within = '#main') => {
        // The shell around it has tests of its own. Its banner cuts off a long name, but for axe the whole link lies over what is below.
        await page.getByRole('region', { name: /^Pauses/ }).evaluateAll((banners) => {
          for (const banner of banners) banner.style.display = 'none';
        });
        expect(await objections(page, { within }), where).toEqual([]);
        await expectFits(page, where);
      };
      await page.goto('/alerts');
      const row = rowOf(page, 'PAUSED');
      await expect(row).toContainText('paused');
      await check('now');
      await row.getByRole('button', { name: 'Acknowledge PAUSED' }).click();
      await dialogOf(page).getByLabel('Reason (optional)').fill(hostileLine(300, 5));
      await check('acknowledge', '[role=alertdialog]');
      await dialogOf(page).getByRole('button', { name: 'Acknowledge' }).click();
      await expect(row).toContainText('takes care');
      await closeToast(page);
      await row.getByRole('button', { name: 'Silence PAUSED…' }).click();
      await page.getByRole('dialog').getByLabel('Reason').fill(hostileLine(300, 7));
      await page.getByRole('dialog').getByRole('radio', { name: 'Custom' }).click();
      await page.getByRole('dialog').getByLabel('Minutes').fill('90');
      await check('silence', '[role=dialog]');
      await page.getByRole('dialog').getByRole('button', { name: 'Silence', exact: true }).click();
      await expect(row).toContainText('Silenced by ann');
      await closeToast(page);
      await check('silenced');
      for (const tab of ['Ended', 'Channels']) {
        await page.getByRole('navigation', { name: 'Alerts' }).getByRole('link', { name: tab }).click();
        await expect(page.locator('[data-slot=skeleton]')).toHaveCount(0);
        await check(tab);
      }
      expect(await page.locator('[data-xss]').count()).toBe(0);
      expect(errors).toEqual([]);
      await leave(queue);
      await page.goto('/alerts');
      await expect(row).toBeHidden();
      await page
        .getByRole('button', { name: /^Remove silence of PAUSED/ })
        .first()
        .click();
      await dialogOf(page).getByRole('button', { name: 'Remove silence' }).click();
      await expect(page.getByRole('region', { name: 'Silences' })).toContainText('No silences');
      await context.close();
    });
