/** T7: find one job, whatever its state and queue, from any page. And everything else, by keyboard alone. */
import { expect, type Page, test } from '@playwright/test';
import type { Broker } from '@/testing/create-broker';
import { startOperation } from './api-requests';
import { objections } from './axe';
import { countHands } from './count-hands';
import { die, GATEWAY, openBroker } from './dead-jobs';

let broker: Broker;
const queue = `finder-${Date.now()}`;
const key = `customer:${queue}/7`;
const idempotencyKey = `payment/${queue}`;
const correlation = `checkout/${queue}`;
let deadId: string;
test.beforeAll(async () => {
  broker = openBroker();
  deadId = (await die(broker, queue, { ...GATEWAY, count: 1 }))[0] ?? '';
  await broker.enqueue(queue, {
    jobId: `done-${queue}`,
    jobType: 'mail',
    idempotencyKey,
    correlationId: correlation,
  });
  const { jobs } = await broker.claim(queue, { worker: 'e2e' });
  await broker.ack(queue, jobs);
  await broker.enqueue(queue, {
    jobId: `held-${queue}`,
    jobType: 'mail',
    unique: { key },
    delayMs: 3_600_000,
  });
});
test.afterAll(() => broker.close());

const box = (page: Page) => page.getByRole('combobox', { name: 'Find' });
const opener = (page: Page) => page.getByRole('button', { name: 'Find a job' });
const options = (page: Page) => page.getByRole('dialog', { name: 'Find' }).getByRole('option');
/** Again until the page has its scripts; while the finder is open the keys do nothing. */
const openFinder = (page: Page) =>
  expect(async () => {
    await page.keyboard.press('ControlOrMeta+k');
    await expect(box(page)).toBeFocused({ timeout: 2_000 });
  }).toPass();
const atJob = (jobId: string) => new RegExp(`/queues/${queue}/jobs/${jobId}$`);

test('T7: a job by id, key and correlation id, from any page and without a click', { tag: '@smoke' }, async ({
  page,
}) => {
  const hands = await countHands(page, 'T7, from any page to five jobs by id, keys and correlation id');
  await page.goto('/workers');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const [text, jobId] of [
    [`done-${queue}`, `done-${queue}`],
    [deadId, deadId],
    [key, `held-${queue}`],
    [idempotencyKey, `done-${queue}`],
  ] as const) {
    await openFinder(page);
    await page.keyboard.insertText(text);
    await expect(options(page).first()).toContainText(jobId);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(atJob(jobId));
  }
  // No index has it: one more Enter searches the jobs of all states.
  await openFinder(page);
  await page.keyboard.insertText(correlation);
  await expect(options(page).first()).toContainText('Search all jobs');
  await page.keyboard.press('Enter');
  await expect(options(page).first()).toContainText(`done-${queue}`);
  await expect(page.getByRole('dialog').getByRole('status')).toContainText(
    '1 job found by id, key, correlation id or trace id.',
  );
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(atJob(`done-${queue}`));
  expect((await hands()).clicks).toBe(0);
});

test('the finder offers the actions of the page, remembers, and gives the focus back', async ({ page }) => {
  await page.goto(`/queues/${queue}`);
  await expect(page.getByRole('button', { name: 'Pause…' })).toBeEnabled();
  const finder = opener(page);
  await finder.focus();
  await page.keyboard.press('Enter');
  await expect(box(page)).toBeFocused();
  expect(await objections(page, { all: true, within: '[role="dialog"]' })).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(finder).toBeFocused();

  await openFinder(page);
  await page.keyboard.type('pause');
  await expect(options(page).first()).toContainText('Pause…');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: `Pause ${queue}` }).getByLabel('Reason')).toBeFocused();
  // Keys of the page belong to the field now.
  await page.keyboard.type('g d?');
  await expect(page.getByLabel('Reason')).toHaveValue('g d?');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toMatch(new RegExp(`^curl [^]*/api/v1/queues/${queue}/pause'[^]*"reason":"g d\\?"`));
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();

  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await expect(page).toHaveURL(/\/dead$/);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard' })).toContainText('Dead letters');
  await page.keyboard.press('Escape');

  await openFinder(page);
  await page.keyboard.type(`settings ${queue}`);
  await expect(options(page).first()).toContainText(`Settings of ${queue}`);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/queues/${queue}/settings$`));
  await openFinder(page);
  await expect(options(page).first()).toContainText(`Settings of ${queue}`);
});

test('the finder offers the items of menus: of a list, of its selection, of an open job and of a page', async ({
  page,
}) => {
  const act = async (text: string) => {
    await openFinder(page);
    await page.keyboard.insertText(text);
    await expect(options(page).first()).toContainText(text);
    await page.keyboard.press('Enter');
  };
  const title = page.getByRole('dialog').getByRole('heading', { level: 2 }).first();
  for (const [path, prepare, text, opens] of [
    ['/operations', null, 'New operation: Purge…', 'Purge'],
    [`/queues/${queue}?state=scheduled`, null, 'Reschedule: all scheduled jobs…', 'Reschedule'],
    [`/dead?q=queue:${queue}&view=rows`, 'jx', 'Suppress: the selection…', 'Suppress'],
    [
      `/dead?q=queue:${queue}&view=rows&job=${queue}/${deadId}`,
      null,
      'Edit and re-drive…',
      'Edit and re-drive',
    ],
  ] as const) {
    await page.goto(path);
    await expect(page.locator('[data-slot=connection][data-kind=live]')).toBeVisible();
    if (prepare) {
      await expect(page.locator('[data-row-link]').first()).toBeVisible();
      for (const key of prepare) await page.keyboard.press(key);
      await expect(page.getByRole('button', { name: 'Unselect' })).toBeVisible();
    }
    if (text.startsWith('Edit'))
      await expect(page.getByRole('region', { name: 'Job panel' })).toContainText('Re-drive');
    await act(text);
    await expect(title, text).toContainText(opens);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  }
});

test('Enter opens the page of a queue and of a failure group, whose rows link to it', async ({ page }) => {
  await page.goto('/workers');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const [text, link, address] of [
    [queue, `a[href="/queues/${queue}"]`, new RegExp(`/queues/${queue}$`)],
    [GATEWAY.message, 'a[href*="group%3A"]', /\/dead\?.*group/],
  ] as const) {
    await openFinder(page);
    await page.keyboard.insertText(text);
    const found = options(page).and(page.locator(link)).filter({ hasText: text }).first();
    // Whatever else is found: the row under the pointer is the active one.
    await found.hover();
    await expect(found).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(address);
  }
});

test('the finder finds things of every kind, and leads to each', async ({ page, request }) => {
  const mark = `kinds-${Date.now().toString(36)}`;
  const post = async (path: string, data: object): Promise<{ id?: string }> => {
    const answer = await request.post(path, { data });
    expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
    return (await answer.json()) as { id?: string };
  };
  const timing = { everyMs: 86_400_000 };
  await post('/api/v1/schedules', { id: `s-${mark}`, queue, timing, job: { jobType: 'mail' }, reason: mark });
  await post('/api/v1/searches', { name: `search ${mark}`, q: `queue:${queue}`, shared: true });
  await post('/api/v1/access/tokens', {
    name: `token ${mark}`,
    grants: [{ role: 'viewer' }],
    expiresInDays: 1,
  });
  const scope = { q: `queue:${queue}` };
  const { id } = await startOperation(
    request,
    { kind: 'export', format: 'csv', scope },
    { reason: `file ${mark}` },
  );
  await page.goto('/workers');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const [text, kind, address] of [
    ['Dead letters', 'Page', /\/dead$/],
    ['API reference', 'Page', /\/api-reference$/],
    [`s-${mark}`, 'Schedule', /\/schedules/],
    [`search ${mark}`, 'Saved search', /\/dead\?q=queue/],
    [`file ${mark}`, 'Operation', new RegExp(`/operations/${id}$`)],
    [`token ${mark}`, 'API token', /\/access\?tab=tokens/],
    ['vera', 'User', /\/access/],
    [`Settings of ${queue}`, 'Settings', new RegExp(`/queues/${queue}/settings$`)],
  ] as const) {
    await openFinder(page);
    // Also those that are on no first page of their list.
    const asked = ['operations', 'schedules'].map((list) =>
      page.waitForRequest((sent) => {
        const { pathname, searchParams } = new URL(sent.url());
        return pathname === `/api/v1/${list}` && searchParams.get('q') === text;
      }),
    );
    await page.keyboard.insertText(text);
    await Promise.all(asked);
    const found = options(page).filter({ hasText: text }).filter({ hasText: kind }).first();
    await expect(found, `${kind} ${text}`).toBeVisible();
    await found.click();
    await expect(page, `${kind} ${text}`).toHaveURL(address);
  }
  // Other tests look at the list of schedules.
  await request.delete(`/api/v1/schedules/s-${mark}`, { data: {} });
});

test('g and a letter lead to each page, and ? says so on all of them', async ({ page }) => {
  await page.goto('/workers');
  for (const [shortcut, path, label] of [
    ['o', '/', 'Overview'],
    ['t', '/alerts', 'Alerts'],
    ['d', '/dead', 'Dead letters'],
    ['p', '/operations', 'Operations'],
    ['s', '/schedules', 'Schedules'],
    ['l', '/lab', 'Lab'],
    ['e', '/redis', 'Redis'],
    ['a', '/audit', 'Audit log'],
    ['u', '/access', 'Access'],
    ['w', '/workers', 'Workers'],
  ] as const) {
    await expect(page.locator('[data-slot=connection][data-kind=live]')).toBeVisible();
    await page.keyboard.press('g');
    await page.keyboard.press(shortcut);
    await expect(page).toHaveURL((url) => url.pathname === path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keyboard' })).toContainText(label);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  }
});

test('what the finder finds is a link: another tab by click and by key, and the finder stays', async ({
  page,
  context,
}) => {
  await page.goto('/workers');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await openFinder(page);
  await page.keyboard.insertText(deadId);
  const found = options(page).first();
  await expect(found).toHaveAttribute('href', new RegExp(`/queues/${queue}/jobs/${deadId}$`));
  for (const act of [
    () => found.click({ button: 'middle' }),
    () => found.click({ modifiers: ['ControlOrMeta'] }),
    () => page.keyboard.press('ControlOrMeta+Enter'),
  ]) {
    const [other] = await Promise.all([context.waitForEvent('page'), act()]);
    await expect(other).toHaveURL(atJob(deadId));
    await other.close();
    await expect(box(page)).toBeFocused();
  }
  await expect(page).toHaveURL(/\/workers$/);
});

test('on a phone the finder fits the screen', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/dead');
  await opener(page).click();
  await expect(box(page)).toBeFocused();
  await page.keyboard.insertText(deadId);
  await expect(options(page).first()).toContainText(deadId);
  const dialog = await page.getByRole('dialog').boundingBox();
  expect(dialog?.x).toBeGreaterThanOrEqual(0);
  expect((dialog?.x ?? 0) + (dialog?.width ?? 0)).toBeLessThanOrEqual(390);
  await options(page).first().click();
  await expect(page).toHaveURL(atJob(deadId));
});
