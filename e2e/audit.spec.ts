/** The audit log in the browser: what was done is found from the thing it was done to, refusals are listed, and the chain is checked. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { paths } from '../lib/contract/api-paths';
import { auditPageSchema } from '../lib/contract/audit/audit-schemas';
import { enqueueMails, get, QUIET, setLab } from './api-requests';
import { countHands } from './count-hands';
import { stateOf, VERA } from './user-pages';

test.beforeEach(async ({ request }) => {
  await setLab(request, QUIET);
  await enqueueMails(request, 1);
});

test('T8: a pause is found by the link of its queue, with its reason and its place in the chain', async ({
  page,
  request,
}) => {
  const reason = `e2e: seen in the log ${Date.now()}`;
  await request.post(paths.pause('default'), { data: { reason, forMs: 60_000 } });
  await request.post(paths.resume('default'), { data: {} });
  const hands = await countHands(page, 'T8, from a queue to who paused it and why');
  await page.goto('/queues/default');
  await page.getByRole('main').getByRole('link', { name: 'Audit log' }).click();
  await expect(page).toHaveURL(/\/audit\?queue=default$/);
  const entry = page.getByRole('row').filter({ hasText: reason });
  await expect(entry).toContainText('Pause queue');
  await expect(entry).toContainText('ann');
  await expect(entry).toContainText('done');
  expect(await hands()).toEqual({ clicks: 1, keys: 0 });
  await entry.getByRole('button', { name: /^Pause queue: details/ }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Pause queue' });
  await expect(dialog).toContainText(reason);
  await expect(dialog).toContainText('local:ann');
  await expect(dialog).toContainText('from 127.0.0.1');
  await expect(dialog.getByText(/^[0-9a-f]{64}$/)).toHaveCount(2);
  await page.keyboard.press('Escape');
  await entry.getByRole('link', { name: 'default' }).click();
  await expect(page).toHaveURL(/\/queues\/default$/);
});

test('what is refused is on record, with its code', async ({ page, browser, baseURL, request }) => {
  const vera = await browser.newContext({ baseURL, storageState: stateOf(VERA) });
  const refused = await vera.request.post(paths.drain('default'), {
    data: { draining: true, reason: 'e2e: not hers' },
  });
  expect(refused.status()).toBe(403);
  // Refusals are gathered for a moment, so that repeats are counted.
  const asked = { actor: 'vera', action: 'queue.drain', result: 'refused' };
  const found = async () =>
    auditPageSchema.parse(await (await get(request, paths.audit(), { params: asked })).json()).events;
  await expect.poll(async () => (await found()).length, { timeout: 30_000 }).toBeGreaterThan(0);
  await page.goto('/audit?actor=vera&result=refused');
  const entry = page.getByRole('row').filter({ hasText: 'Drain queue' }).first();
  await expect(entry).toContainText('FORBIDDEN');
  await expect(entry).toContainText('refused');

  // She sees what she did herself, and is told that it is only that.
  const hers = await vera.newPage();
  await hers.goto('/audit');
  await expect(hers.getByText('You see only your own events.')).toBeVisible();
  await expect(hers.getByRole('row').filter({ hasText: 'Drain queue' }).first()).toBeVisible();
  await expect(hers.getByRole('row').filter({ hasText: 'ann' })).toHaveCount(0);
  await expect(hers.getByRole('button', { name: 'Verify log integrity' })).toHaveCount(0);
  await vera.close();
});

test('the chain is checked, and the log is taken along', async ({ page }) => {
  await page.goto('/audit');
  await page.getByRole('button', { name: 'Verify log integrity' }).click();
  const dialog = page.getByRole('dialog', { name: 'Log integrity' });
  await expect(dialog).toContainText('The log is intact.');
  await expect(dialog.getByText(/^[0-9a-f]{64}$/)).toBeVisible();
  await page.keyboard.press('Escape');
  await page.goto('/audit?action=queue');
  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: /^NDJSON/ }).click(),
  ]);
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ redriveAudit: 1, filter: { action: 'queue' } });
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ end: true, entries: lines.length - 2 });
});

test('what is looked for stands in the URL, and what is read does not move', async ({ page, request }) => {
  const word = `hold-${Date.now()}`;
  const pause = async (n: number) => {
    await request.post(paths.pause('default'), { data: { reason: `${word} ${n}`, forMs: 60_000 } });
    await request.post(paths.resume('default'), { data: {} });
  };
  await pause(1);
  await page.goto('/audit');
  // What is typed before the page is alive, it does not hear of.
  await expect(page.getByRole('row').filter({ hasText: 'ann' }).first()).toBeVisible();
  await page.getByRole('textbox', { name: 'Text' }).fill(word);
  await page.getByRole('textbox', { name: 'Text' }).press('Enter');
  await expect(page).toHaveURL(new RegExp(`text=${word}`));
  const rows = page.getByRole('row').filter({ hasText: word });
  await expect(rows).toHaveCount(1);
  await page.getByLabel('Result').selectOption('refused');
  await expect(page.getByText('No event matches.')).toBeVisible();
  await page.goBack();
  await expect(rows).toHaveCount(1);

  await pause(2);
  const arrived = page.getByRole('button', { name: '1 new event: show' });
  await expect(arrived).toBeVisible({ timeout: 30_000 });
  await expect(rows).toHaveCount(1);
  await arrived.click();
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText(`${word} 2`);
});
