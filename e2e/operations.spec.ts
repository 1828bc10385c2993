/** Operations in the browser: pause, change speed, resume; undo; approval; edit; export; a preview that no longer holds. */

import { expect, type Page, test } from '@playwright/test';
import type { Broker } from '../testing/create-broker';
import { dead, job, queueOf, startOperation } from './api-requests';
import { objections } from './axe';
import { BAD_INPUT, die, GATEWAY, openBroker } from './dead-jobs';
import { BOB, stateOf } from './user-pages';
import { card, confirm, toConfirm, wizard } from './wizard-steps';

let broker: Broker;
const RUN = Date.now().toString(36);
let queues = 0;
/** No demo worker knows these: what is put back waits. */
const freshQueue = () => `bulk-${RUN}-${++queues}`;
test.beforeAll(() => {
  broker = openBroker();
});
test.afterAll(() => broker.close());

async function deadQueue(count: number): Promise<string> {
  const queue = freshQueue();
  await die(broker, queue, { ...GATEWAY, count });
  return queue;
}

/** Opens the wizard for everything in a queue that matches, from the dead-letter page. */
async function openFor(page: Page, queue: string, kind: string): Promise<void> {
  await page.goto(`/dead?q=${encodeURIComponent(`queue:${queue}`)}`);
  const row = page.getByRole('row', { name: /ETIMEDOUT/ });
  await expect(row).toBeVisible();
  await row.getByRole('button', { name: 'More about this group' }).click();
  await page.getByRole('menuitem', { name: new RegExp(`^${kind}…`) }).click();
}

test('a re-drive is paused, given another speed and resumed while it runs', async ({ page, request }) => {
  const queue = await deadQueue(300);
  await page.goto(`/dead?q=${encodeURIComponent(`queue:${queue}`)}`);
  await page
    .getByRole('row', { name: /ETIMEDOUT/ })
    .getByRole('button', { name: 'Re-drive…' })
    .click();
  const dialog = wizard(page);
  await expect(dialog).toContainText('300 dead letters match');
  // It says that no worker will run them.
  await expect(dialog).toContainText(/no live worker handles/);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('radio', { name: 'Fixed rate' }).click();
  await dialog.getByLabel('Jobs per second').fill('10/s');
  await dialog.getByRole('switch', { name: 'Canary' }).click();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog).toContainText('Rate: at most 10/s, about 30 s in total.');
  await confirm(page, `Slowly ${queue}`);

  const follow = card(page, `Slowly ${queue}`);
  await expect(follow).toContainText('of 300');
  await follow.getByRole('button', { name: 'Pause' }).click();
  await expect(follow).toContainText('Paused');
  const at = async () => (await queueOf(request, queue)).counts.ready;
  // What was on its way when it was paused arrives, and is counted a moment later.
  let held = -1;
  await expect
    .poll(
      async () => {
        const before = held;
        held = await at();
        return held === before;
      },
      { intervals: [1_500] },
    )
    .toBe(true);
  expect(held).toBeLessThan(300);

  await follow.getByRole('link', { name: 'Re-drive' }).click();
  await expect(page.getByRole('note').getByText(/^Paused by/)).toBeVisible();
  await page.getByRole('radio', { name: 'No limit' }).click();
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText('Settings changed')).toBeVisible();
  expect(await at()).toBe(held);
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect.poll(at, { timeout: 30_000 }).toBe(300);
  await expect(page.getByText('300 done')).toBeVisible();
  // Everything that was done to it stands in its timeline.
  for (const what of ['Confirmed', 'Paused', 'Changed', 'Resumed', 'Completed'])
    await expect(page.getByRole('listitem').filter({ hasText: what }).first()).toBeVisible();
  await expect(page.getByRole('row', { name: /^Waiting/ })).toContainText('300');

  // While they wait, the re-drive can be taken back: they are dead as they were.
  await page.getByRole('button', { name: 'Undo…' }).click();
  const undo = page.getByRole('alertdialog');
  await undo.getByLabel('Reason').fill('Not yet after all');
  await undo.getByRole('button', { name: 'Recall all' }).click();
  await expect
    .poll(async () => (await dead(request, `queue:${queue} code:ETIMEDOUT`)).matching.count)
    .toBe(300);
  expect((await queueOf(request, queue)).ledger.difference).toBe(0);
});

test('a purge of more than a hundred asks for the number, and is undone in part, then whole', async ({
  page,
  request,
}) => {
  const queue = await deadQueue(120);
  await openFor(page, queue, 'Purge');
  await toConfirm(page);
  const start = wizard(page).locator('button[type=submit]');
  await wizard(page).getByLabel('Reason').fill(`Clean ${queue}`);
  await expect(start).toBeDisabled();
  await wizard(page)
    .getByLabel(/^Type .* to confirm$/)
    .fill('119');
  await expect(start).toBeDisabled();
  await confirm(page, `Clean ${queue}`);
  await expect.poll(async () => (await queueOf(request, queue)).counts.trashed).toBe(120);
  expect((await dead(request, `queue:${queue}`)).matching.count).toBe(0);

  await page.goto('/operations');
  const row = page.getByRole('row', { name: new RegExp(`Clean ${queue}`) });
  await expect(row).toContainText('120 done');
  await row.getByRole('button', { name: /^Undo, / }).click();
  const undo = page.getByRole('alertdialog');
  await undo.getByLabel('Only jobs that also match').fill('payload.order.id:7003');
  await undo.getByLabel('Reason').fill('That one was wanted');
  await undo.getByRole('button', { name: 'Restore matching jobs' }).click();
  await expect.poll(async () => (await queueOf(request, queue)).counts.dead).toBe(1);
  await expect(page.getByText('This operation undoes')).toBeVisible();

  await page.goto('/operations');
  await page
    .getByRole('row', { name: new RegExp(`Clean ${queue}`) })
    .getByRole('button', { name: /^Undo, / })
    .click();
  await undo.getByLabel('Reason').fill('All of it');
  await undo.getByRole('button', { name: 'Restore all' }).click();
  await expect.poll(async () => (await queueOf(request, queue)).counts.dead).toBe(120);
  expect((await queueOf(request, queue)).ledger.difference).toBe(0);
  await page.goto('/operations');
  await expect(row).toContainText('120 of 120 undone');
  await expect(row.getByRole('button', { name: /^Undo/ })).toBeHidden();
});

test('a queue that wants a second person waits for one', async ({ page, request, browser, baseURL }) => {
  const queue = await deadQueue(12);
  const changed = await request.patch(`/api/v1/queues/${queue}/config`, {
    data: { purgeNeedsApproval: true },
  });
  expect(changed.status()).toBe(200);
  await openFor(page, queue, 'Purge');
  await toConfirm(page);
  await expect(wizard(page)).toContainText('Approval required');
  await confirm(page, `Two of us for ${queue}`);
  const follow = card(page, `Two of us for ${queue}`);
  await expect(follow).toContainText('Awaiting approval');
  await follow.getByRole('link', { name: 'Purge' }).click();
  await expect(page.getByText('You started this operation, so another user must approve it.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Approve…' })).toBeHidden();
  expect((await queueOf(request, queue)).counts.dead).toBe(12);

  const second = await browser.newContext({ baseURL, storageState: stateOf(BOB) });
  const his = await second.newPage();
  await his.goto(page.url());
  await expect(his.getByRole('button', { name: 'You are bob' })).toBeVisible();
  await his.getByRole('button', { name: 'Approve…' }).click();
  const ask = his.getByRole('alertdialog');
  await expect(ask).toContainText('ann requested it');
  await ask.getByRole('button', { name: 'Approve and start' }).click();
  await expect.poll(async () => (await queueOf(request, queue)).counts.trashed).toBe(12);
  await expect(page.getByText('by bob').first()).toBeVisible();
  await second.close();
});

test('one job is edited and re-driven from its own page, with the change shown first', async ({
  page,
  request,
}) => {
  const queue = freshQueue();
  const [id] = await die(broker, queue, {
    ...BAD_INPUT,
    count: 1,
    payload: () => ({ to: 'nobody', order: { id: 1, currency: 'usd' } }),
  });
  if (!id) throw new Error('no job');
  await page.goto(`/queues/${queue}/jobs/${id}`);
  await page.getByRole('button', { name: 'Edit and re-drive…' }).click();
  const dialog = wizard(page);
  const payload = dialog.getByRole('textbox', { name: 'Payload' });
  await expect(payload).toHaveValue(/"currency": "usd"/);
  await payload.fill((await payload.inputValue()).replace('"usd"', '"EUR"'));
  const diff = dialog.getByRole('region', { name: `Change to ${id}` });
  await expect(diff).toContainText('"usd"');
  await expect(diff).toContainText('"EUR"');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  // Bad input is left alone unless one says otherwise; edited it is another matter, and one decides that here.
  const unsafe = dialog.getByRole('switch', { name: /unsafe/ });
  await expect(dialog).toContainText('1 dead letter matches');
  if (await unsafe.isVisible()) await unsafe.click();
  await toConfirm(page);
  await confirm(page, 'Currency was lower case');
  await expect.poll(async () => (await job(request, queue, id)).state).toBe('ready');
  expect(JSON.parse((await job(request, queue, id)).payload)).toEqual({
    to: 'nobody',
    order: { id: 1, currency: 'EUR' },
  });
  // The page behind the dialog shows the new state and payload without being asked.
  await expect(page.getByRole('button', { name: 'Edit and re-drive…' })).toBeHidden();
});

test('what matches is exported as a file', async ({ page }) => {
  const queue = await deadQueue(25);
  await openFor(page, queue, 'Export');
  const dialog = wizard(page);
  await dialog.getByRole('radio', { name: 'CSV', exact: true }).click();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog).toContainText('25 dead letters match');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await confirm(page, `File of ${queue}`);
  await expect(dialog).toContainText('The export is ready');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('link', { name: 'Download CSV' }).click(),
  ]);
  let text = '';
  for await (const part of await download.createReadStream()) text += String(part);
  const lines = text.trim().split('\r\n');
  expect(lines[0]).toContain('queue,id,state,type');
  expect(lines.filter((line) => line.startsWith(queue))).toHaveLength(25);
  await dialog.getByRole('link', { name: 'the operation' }).click();
  await expect(page.getByText('25 done')).toBeVisible();
});

test('a preview that no longer holds is refused with what changed, and nothing is touched', async ({
  page,
  request,
}) => {
  const queue = await deadQueue(10);
  await openFor(page, queue, 'Purge');
  await toConfirm(page);
  // Meanwhile somebody re-drives four of them.
  const four = (await dead(request, `queue:${queue}`)).jobs
    .slice(0, 4)
    .map(({ jobId }) => ({ queue, jobId }));
  await startOperation(request, { kind: 'redrive', scope: { jobs: four } });
  await expect.poll(async () => (await queueOf(request, queue)).counts.dead).toBe(6);
  await confirm(page, `Stale ${queue}`);
  await expect(wizard(page).getByRole('alert')).toContainText('The jobs changed since the preview');
  expect((await queueOf(request, queue)).counts.dead).toBe(6);
  await wizard(page).getByRole('button', { name: 'New preview' }).click();
  await expect(wizard(page)).toContainText('6 dead letters match');
  await toConfirm(page);
  await confirm(page, `Stale ${queue}`);
  await expect.poll(async () => (await queueOf(request, queue)).counts.trashed).toBe(6);
});

test('the list is narrowed by status and kind, by its link as well', async ({ page, request }) => {
  const queue = await deadQueue(2);
  await startOperation(
    request,
    { kind: 'suppress', scope: { q: `queue:${queue}` } },
    { reason: `Known ${queue}` },
  );
  await page.goto('/operations?kind=suppress&status=completed');
  await expect(page.getByRole('row', { name: new RegExp(`Known ${queue}`) })).toBeVisible();
  await page.getByLabel('Kind', { exact: true }).selectOption('Promote');
  await expect(page.getByText('No operation matches.')).toBeVisible();
  expect(page.url()).toContain('kind=promote');
});

test('the wizard is accessible at every step, by keyboard alone, on a phone as well', async ({
  browser,
  baseURL,
}) => {
  const queue = await deadQueue(110);
  for (const look of [
    { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
    { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
  ] as const) {
    const context = await browser.newContext({ baseURL, reducedMotion: 'reduce', ...look });
    const page = await context.newPage();
    await page.goto('/operations');
    await page.getByRole('button', { name: 'New operation' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Re-drive', exact: true }).press('Enter');
    const dialog = wizard(page);
    await dialog.getByRole('combobox', { name: 'And match' }).fill(`queue:${queue}`);
    for (const step of ['Scope', 'Preview', 'Rate', 'Confirm']) {
      await expect(dialog.getByRole('heading', { name: new RegExp(`: ${step}$`) })).toBeAttached();
      if (step !== 'Scope')
        await expect(dialog.locator('[data-slot=skeleton]')).toHaveCount(0, { timeout: 30_000 });
      // Suggestions that close while axe reads would be an objection.
      else await expect(dialog.getByRole('listbox')).toBeHidden();
      expect(await objections(page, { within: '[role=dialog]' }), step).toEqual([]);
      if (step !== 'Confirm') await page.keyboard.press('Control+Enter');
    }
    // The last step begins at the reason.
    await expect(dialog.getByLabel('Reason')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await context.close();
  }
});
