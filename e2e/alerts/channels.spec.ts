/** Channels of alerts in the browser: an administrator makes, tests, changes and removes one; others have no buttons for that. */
import { createHmac } from 'node:crypto';
import { expect, type Page, test } from '@playwright/test';
import type { AlertReceiver } from '../../testing/alerts/alert-receiver';
import { expectFits, objections } from '../axe';
import { ANN, VERA } from '../user-pages';
import { setUpAlertConsole } from './alert-console';

const SECRET = 'a signing secret of the console';
const stack = setUpAlertConsole('channels', () => ({ rules: { NO_WORKERS: { forSeconds: 0 } } }));

const rowOf = (page: Page) =>
  page.getByRole('region', { name: 'Channels' }).getByRole('row').filter({ hasText: 'on-call' });
const isSigned = ({ headers, body }: AlertReceiver['received'][number]) =>
  headers['redrive-signature'] ===
  `v1=${createHmac('sha256', SECRET).update(`${headers['redrive-timestamp']}.${body}`).digest('hex')}`;

test('an administrator makes a channel, tests it, is told of an alert by it, changes and removes it', async ({
  browser,
}) => {
  const { context, page } = await stack().openAs(browser, ANN);
  await page.setViewportSize({ width: 1_440, height: 900 });
  await page.goto('/alerts?tab=channels');
  await page.getByRole('button', { name: 'New channel' }).click();
  const dialog = page.getByRole('dialog', { name: 'New channel' });
  await dialog.getByLabel('Name').fill('on-call');
  await dialog.getByLabel('Address').fill('http://10.0.0.1/');
  await dialog.getByLabel('Signing secret').fill('short');
  await dialog.getByRole('button', { name: 'Make channel' }).click();
  await expect(dialog.getByText('must have at least 16 characters')).toBeVisible();
  await dialog.getByLabel('Signing secret').fill(SECRET);
  await dialog.getByRole('button', { name: 'Make channel' }).click();
  // The rules of the environment, beside the field.
  await expect(dialog.getByText(/must begin with https:\/\/\. .*allowedHosts/)).toBeVisible();
  await dialog.getByLabel('Address').fill(`${stack().receiver.url}/hook`);
  expect(await objections(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Make channel' }).click();
  await expect(dialog).toBeHidden();
  const row = rowOf(page);
  await expect(row).toContainText(stack().receiver.host);
  await expect(row).toContainText('console');

  await row.getByRole('button', { name: 'Test on-call' }).click();
  await page.getByRole('button', { name: 'Send test message' }).click();
  await expect(page.getByText('Test message sent')).toBeVisible();
  const [tested] = await stack().receiver.waitFor(1);
  expect(tested && isSigned(tested)).toBe(true);

  await stack().broker.enqueue('mail', { jobId: 'j1', jobType: 'mail.send' });
  const [, alert] = await stack().receiver.waitFor(2);
  expect(alert && isSigned(alert)).toBe(true);
  expect(JSON.parse(alert?.body ?? '{}')).toMatchObject({ event: 'fired', alert: { code: 'NO_WORKERS' } });

  await row.getByRole('button', { name: 'Change on-call' }).click();
  const change = page.getByRole('dialog', { name: 'Change channel on-call' });
  await expect(change.getByLabel('Signing secret')).toHaveValue('');
  await change.getByLabel(/^Findings/).fill('REDIS, DATA_LOST');
  await change.getByRole('button', { name: 'Change channel' }).click();
  await expect(change).toBeHidden();
  await expect(row).toContainText('of REDIS, DATA_LOST');
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await objections(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectFits(page, 'the channels');
  await expect(row.getByRole('button', { name: 'Remove on-call' })).toBeVisible();

  // Nothing that the page or the API says holds a secret.
  const said = await (await context.request.get('/api/v1/alerts')).text();
  expect(`${said}${await page.content()}`).not.toMatch(/signing secret of|\/hook/);

  await row.getByRole('button', { name: 'Remove on-call' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove channel' }).click();
  await expect(row).toBeHidden();
  await expect(page.getByText('There is no channel')).toBeVisible();
  await context.close();
});

test('others see channels and have no buttons, and the API refuses them', async ({ browser }) => {
  const { context, page } = await stack().openAs(browser, VERA);
  await page.goto('/alerts?tab=channels');
  await expect(page.getByText('There is no channel')).toBeVisible();
  await expect(page.getByRole('button', { name: 'New channel' })).toHaveCount(0);
  const data = { channel: { name: 'x', kind: 'slack', url: 'https://hooks.example.com/' } };
  const origin = { origin: stack().url };
  const refused = await context.request.post('/api/v1/alerts/channels', { data, headers: origin });
  expect(refused.status()).toBe(403);
  await context.close();
});
