/** T2: find what is failing and why. The query, facets, failure groups, saved searches, and all of it by keyboard. */
import { expect, type Page, test } from '@playwright/test';
import type { Broker } from '../testing/create-broker';
import { countHands } from './count-hands';
import { BAD_INPUT, BUG, die, GATEWAY, openBroker } from './dead-jobs';

let broker: Broker;
/** A failed test starts a new process that counts from 1 again. */
const RUN = Date.now().toString(36);
let queues = 0;
const freshQueue = () => `search-${RUN}-${++queues}`;
test.beforeAll(() => {
  broker = openBroker();
});
test.afterAll(() => broker.close());

/** Three failures in a queue of their own. */
async function incident(): Promise<string> {
  const queue = freshQueue();
  await die(broker, queue, BUG);
  await die(broker, queue, BAD_INPUT);
  await die(broker, queue, GATEWAY);
  return queue;
}

const at = (query: string, view?: 'rows') =>
  `/dead?q=${encodeURIComponent(query)}${view === 'rows' ? '&view=rows' : ''}`;
const field = (page: Page) => page.getByRole('combobox', { name: 'Query' });
const groups = (page: Page) => page.getByRole('table').locator('tbody tr');
const queryOf = (page: Page) => new URL(page.url()).searchParams.get('q') ?? '';

test('T2: failures and their causes, in two clicks', { tag: '@smoke' }, async ({ page }) => {
  const queue = await incident();
  const hands = await countHands(page, "T2, from the failure groups to one job's error");
  await page.goto(at(`queue:${queue}`));

  // Most first, each with what it says, how often, and whom it hits.
  await expect(groups(page)).toHaveCount(3);
  const first = groups(page).first();
  await expect(first).toContainText('while posting to the payment gateway');
  await expect(first).toContainText('retryable');
  await expect(first).toContainText('ETIMEDOUT');
  await expect(first).toContainText('acme');
  await expect(first).toContainText('60');
  await expect(groups(page).last()).toContainText('Cannot read properties of undefined');
  await expect(page.getByText('3 failure groups')).toBeVisible();

  await first.getByRole('link').click();
  await expect(page.getByRole('region', { name: 'Failure group' })).toContainText('Start with a canary');
  await expect(page.getByText('60 dead letters match')).toBeVisible();

  await page.locator('[data-row-link]').first().click();
  await expect(page.getByText('connect timed out after 3000 ms').first()).toBeVisible();
  await expect(page.getByText('ETIMEDOUT').first()).toBeVisible();
  expect((await hands()).clicks).toBeLessThanOrEqual(2);
});

test('a query that cannot be read says where and what to write instead', async ({ page }) => {
  const queue = await incident();
  await page.goto(at(`queue:${queue}`));
  // What is typed before the page is alive, it does not hear of.
  await expect(groups(page)).toHaveCount(3);
  await field(page).fill(`queue:${queue} class:retriable`);
  await field(page).press('Enter');
  const problem = page.getByRole('alert').filter({ hasText: 'retriable' });
  await expect(problem).toContainText(`At character ${`queue:${queue} class:`.length + 1}`);
  expect(queryOf(page)).toBe(`queue:${queue}`);
  await page.getByRole('button', { name: 'Use retryable' }).click();
  await expect(problem).toBeHidden();
  await expect.poll(() => queryOf(page)).toBe(`queue:${queue} class:retryable`);
  await expect(groups(page)).toHaveCount(1);

  // A link that carries a broken query says so, and searches for nothing.
  await page.goto(at('type:(a OR'));
  await expect(page.getByText('This query cannot be read')).toBeVisible();
  await page.getByRole('button', { name: 'Clear the query' }).last().click();
  await expect.poll(() => queryOf(page)).toBe('');
});

test('suggestions know fields, values and payload paths; chips and facets change the query', async ({
  page,
}) => {
  const queue = await incident();
  await page.goto(at(`queue:${queue}`));
  await expect(groups(page)).toHaveCount(3);
  await field(page).focus();
  await field(page).press('End');
  await field(page).pressSequentially(' ty');
  const option = (name: string | RegExp) => page.getByRole('option', { name });
  await expect(option(/^type:/)).toBeVisible();
  await field(page).press('ArrowDown');
  await field(page).press('Enter');
  await expect(field(page)).toHaveValue(`queue:${queue} type:`);
  await field(page).pressSequentially('invoice.p');
  await expect(option(/invoice\.pay/)).toBeVisible();
  await field(page).press('ArrowDown');
  await field(page).press('Enter');
  await expect(field(page)).toHaveValue(`queue:${queue} type:invoice.pay`);
  await field(page).press('Enter');
  await expect.poll(() => queryOf(page)).toBe(`queue:${queue} type:invoice.pay`);
  await expect(groups(page)).toHaveCount(1);

  await field(page).pressSequentially(' payload.');
  await expect(option(/order/)).toBeVisible();
  await field(page).press('Escape');
  await field(page).press('Escape');
  await expect(field(page)).toHaveValue(`queue:${queue} type:invoice.pay`);

  await page.getByRole('button', { name: /type:invoice\.pay.*take this condition away/ }).click();
  await expect.poll(() => queryOf(page)).toBe(`queue:${queue}`);

  const facets = page.getByRole('complementary', { name: 'Facets' });
  const malformed = facets.getByRole('button', { name: 'malformed', exact: false }).first();
  await expect(malformed).toContainText('12');
  await malformed.click();
  await expect.poll(() => queryOf(page)).toBe(`queue:${queue} class:malformed`);
  await expect(groups(page)).toHaveCount(1);
  // The other facets follow.
  await expect(facets.getByRole('region', { name: 'Type' })).not.toContainText('invoice.pay');
  await malformed.click();
  await expect.poll(() => queryOf(page)).toBe(`queue:${queue}`);
  await facets.getByRole('button', { name: 'All but acme' }).click();
  await expect.poll(() => queryOf(page)).toBe(`queue:${queue} -tenant:acme`);
  await expect(groups(page)).toHaveCount(1);
});

test('a search through payloads tells how far it came', async ({ page }) => {
  const queue = await incident();
  await page.goto(at(`queue:${queue} "left with the neighbour"`, 'rows'));
  await expect(page.locator('[data-row-link]')).toHaveCount(1);
  await expect(page.getByRole('region', { name: 'Search progress' })).toContainText('1 found');
  await expect(page.getByRole('region', { name: 'Search progress' })).toContainText('complete');
  await page.goto(at(`queue:${queue} payload.order.id:7005`, 'rows'));
  await expect(page.locator('[data-row-link]')).toHaveCount(1);
});

test('a search that was stopped goes on where it was, and shows everything once', async ({ page }) => {
  const queue = freshQueue();
  const payload = (n: number) => ({ note: n % 30 === 0 ? 'left with the neighbour' : 'at the door' });
  for (let i = 0; i < 5; i += 1) await die(broker, queue, { ...GATEWAY, count: 300, payload });
  await page.goto(at(`queue:${queue} "left with the neighbour"`, 'rows'));
  const search = page.getByRole('region', { name: 'Search progress' });
  const rows = page.locator('[data-row-link]');
  await expect(search).toContainText('50 found');
  await expect(search).toContainText('complete');

  // Over a line so slow that a hand can stop it.
  const line = await page.context().newCDPSession(page);
  const bytesPerSecond = (most: number) =>
    line.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: most,
      uploadThroughput: -1,
    });
  await bytesPerSecond(1_500);
  // What comes of it in one piece is the browser's to say: where that is all of it there is nothing to stop, and it is searched again.
  await expect(async () => {
    await search.getByRole('button', { name: 'Search again' }).click({ timeout: 2_000 });
    await expect(rows).not.toHaveCount(50);
    await expect(rows.first()).toBeVisible({ timeout: 60_000 });
    await search.getByRole('button', { name: 'Stop' }).click({ timeout: 2_000 });
    await expect(search).toContainText('stopped');
    expect(await rows.count()).toBeLessThan(50);
  }).toPass({ timeout: 120_000 });

  await bytesPerSecond(-1);
  await search.getByRole('button', { name: 'Continue' }).click();
  await expect(search).toContainText('complete', { timeout: 30_000 });
  await expect(search).toContainText('50 found');
  await expect(rows).toHaveCount(50);
});

test('a search is saved, is a link, and is deleted', async ({ page, context }) => {
  const queue = await incident();
  const query = `queue:${queue} code:ETIMEDOUT`;
  const name = `Gateway of ${queue}`;
  await page.goto(at(query));
  const saved = page.getByRole('button', { name: 'Saved searches' });
  await saved.click();
  await page.getByRole('menuitem', { name: 'Save this search…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toBeHidden();

  const other = await context.newPage();
  await other.goto('/dead');
  await other.getByRole('button', { name: 'Saved searches' }).click();
  await other.getByRole('menuitem', { name }).click();
  await expect.poll(() => queryOf(other)).toBe(query);
  await expect(groups(other)).toHaveCount(1);
  await other.close();

  await saved.click();
  await page.getByRole('menuitem', { name: 'Delete saved searches…' }).click();
  await dialog.getByRole('button', { name: `Delete ${name}`, exact: true }).click();
  await expect(dialog.getByText(name)).toBeHidden();
});

test('a failure group is named and resolved, and comes back when it fails again', async ({ page }) => {
  const queue = await incident();
  await page.goto(at(`queue:${queue}`));
  const first = groups(page).first();
  await first.getByRole('button', { name: 'More about this group' }).click();
  await page.getByRole('menuitem', { name: 'Name and note…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('The gateway is down');
  await dialog.getByLabel('Note').fill('GW-311');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(first).toContainText('The gateway is down');
  await expect(first).toContainText('GW-311');

  await first.getByRole('button', { name: 'More about this group' }).click();
  await page.getByRole('menuitem', { name: 'Resolve' }).click();
  await expect(groups(page)).toHaveCount(2);
  await page.getByRole('button', { name: '1 resolved' }).click();
  await expect(page.getByRole('region', { name: 'Resolved and muted failure groups' })).toContainText(
    'The gateway is down',
  );

  await die(broker, queue, { ...GATEWAY, count: 1 });
  // Under the pointer the list would stand still.
  await page.mouse.move(0, 0);
  await expect(groups(page).first()).toContainText('Reopened', { timeout: 20_000 });
  await expect(groups(page).first()).toContainText('61');
});

test('a muted group is folded away until somebody opens it again', async ({ page }) => {
  const queue = await incident();
  await page.goto(at(`queue:${queue}`));
  await groups(page).last().getByRole('button', { name: 'More about this group' }).click();
  await page.getByRole('menuitem', { name: 'Mute' }).click();
  await expect(groups(page)).toHaveCount(2);
  await page.getByRole('button', { name: '1 muted' }).click();
  const folded = page.getByRole('region', { name: 'Resolved and muted failure groups' });
  await expect(folded).toContainText('Cannot read properties of undefined');
  await folded.getByRole('button', { name: 'More about this group' }).click();
  await page.getByRole('menuitem', { name: 'Open again' }).click();
  await expect(folded).toBeHidden();
  await expect(groups(page)).toHaveCount(3);
});

test('groups and facets come with one request', async ({ page }) => {
  const queue = await incident();
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (/\/dead\/(groups|facets)$/.test(pathname)) asked.push(`${pathname}${search}`);
  });
  await page.goto(at(`queue:${queue}`));
  await expect(groups(page)).toHaveCount(3);
  const facets = page.getByRole('complementary', { name: 'Facets' });
  await expect(facets.getByRole('region', { name: 'Type' })).toContainText('invoice.pay');
  // The list is held, and the facets go on.
  await page.getByRole('checkbox', { name: /^Select group Cannot read/ }).click();
  await die(broker, queue, { ...BUG, count: 75 });
  await expect(facets).toContainText('152', { timeout: 20_000 });
  await expect(page.getByRole('button', { name: '75 new' })).toBeVisible();
  expect(new Set(asked.map((path) => path.replace(/\?.*(?=facets=1)/, '?')))).toEqual(
    new Set(['/api/v1/dead/groups?facets=1']),
  );
});

test('groups pause auto-refresh while one is selected, and show what is new', async ({ page }) => {
  const queue = await incident();
  await page.goto(at(`queue:${queue}`));
  const last = groups(page).last();
  await expect(last).toContainText('Cannot read properties of undefined');
  await page.getByRole('checkbox', { name: /^Select group Cannot read/ }).click();
  await expect(page.getByText('1 group selected, 5 dead letters')).toBeVisible();
  await expect(page.getByText('Auto-refresh paused')).toBeVisible();
  // Eighty of them are the largest group: it would move up under the hand.
  await die(broker, queue, { ...BUG, count: 75 });
  const fresh = page.getByRole('button', { name: '75 new' });
  await expect(fresh).toBeVisible({ timeout: 20_000 });
  await expect(last).toContainText('Cannot read properties of undefined');
  await expect(page.getByText('1 group selected, 5 dead letters')).toBeVisible();
  await fresh.click();
  await expect(page.getByText('1 group selected, 80 dead letters')).toBeVisible();
  await expect(groups(page).first()).toContainText('Cannot read properties of undefined');
  await expect(page.getByText('Auto-refresh paused')).toBeVisible();
});

test('by keyboard: query, move, select, range, re-drive; the map says how', async ({ page }) => {
  const queue = await incident();
  await page.goto(at(`queue:${queue}`));
  await expect(groups(page)).toHaveCount(3);
  const press = (...keys: string[]) =>
    keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve());

  await press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard' })).toBeVisible();
  await press('Escape');
  await press('/');
  await expect(field(page)).toBeFocused();
  await press('Escape', 'Escape');
  await expect(field(page)).not.toBeFocused();

  await press('j', 'x', 'j');
  await expect(page.getByText('1 group selected, 60 dead letters')).toBeVisible();
  await press('Shift+X');
  await expect(page.getByText('2 groups selected, 72 dead letters')).toBeVisible();
  await press('r');
  const wizard = page.getByRole('dialog');
  await expect(wizard).toContainText('72');
  await press('Escape');
  await expect(wizard).toBeHidden();
  await press('Escape');
  await expect(page.getByText('3 failure groups')).toBeVisible();

  await press('v');
  await expect(page.getByText('77 dead letters match')).toBeVisible();
  await press('j', 'x', 'j', 'j', 'Shift+X');
  await expect(page.getByText('3 selected', { exact: true })).toBeVisible();
  await press('Escape', 'j', 'Enter');
  await expect(page).toHaveURL(/[?&]job=/);
  await expect(page.getByRole('region', { name: 'Job panel' })).toBeVisible();
});

test('a list with selected rows pauses auto-refresh, and shows what is new', async ({ page }) => {
  const queue = await incident();
  await page.goto(at(`queue:${queue}`, 'rows'));
  await expect(page.getByText('77 dead letters match')).toBeVisible();
  const firstRow = page.locator('[data-row-link]').first();
  const id = await firstRow.getAttribute('href');
  await page
    .getByRole('checkbox', { name: /^Select job/ })
    .first()
    .click();
  await die(broker, queue, { ...BUG, count: 3 });
  const fresh = page.getByRole('button', { name: '3 new' });
  await expect(fresh).toBeVisible();
  expect(await firstRow.getAttribute('href')).toBe(id);
  await fresh.click();
  await expect.poll(() => firstRow.getAttribute('href')).not.toBe(id);

  await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
  await page.getByRole('button', { name: 'Select all 80 that match' }).click();
  await expect(page.getByText('All 80 that match are selected')).toBeVisible();
  await page.getByRole('button', { name: 'Re-drive…' }).click();
  await expect(page.getByRole('dialog')).toContainText('80');
});

test("a queue's own lists take the same queries", async ({ page }) => {
  const queue = freshQueue();
  await broker.enqueueMany(
    queue,
    ['acme', 'acme', 'globex'].map((tenantId, n) => ({
      jobType: 'report.build',
      tenantId,
      payload: JSON.stringify({ report: { year: 2020 + n } }),
    })),
  );
  await page.goto(`/queues/${queue}`);
  const rows = page.locator('[data-row-link]');
  await expect(rows).toHaveCount(3);
  await page.keyboard.press('/');
  const query = page.getByRole('combobox', { name: 'Query of ready jobs' });
  await expect(query).toBeFocused();
  await query.fill('tenant:acme');
  await query.press('Enter');
  await expect(rows).toHaveCount(2);
  await page.goto(`/queues/${queue}?q=${encodeURIComponent('payload.report.year:>=2021')}`);
  await expect(rows).toHaveCount(2);
  await page.getByRole('button', { name: 'All matches' }).click();
  await page.getByRole('menuitem', { name: 'Cancel jobs…' }).click();
  await expect(page.getByRole('dialog')).toContainText('2');
});

test("a queue's own lists hold still under the pointer, and select rows, a page and all that match", async ({
  page,
}) => {
  const queue = freshQueue();
  const enqueue = (count: number, delayMs: number) =>
    broker.enqueueMany(
      queue,
      Array.from({ length: count }, () => ({ jobType: 'report.build', delayMs })),
    );
  await enqueue(60, 7_200_000);
  await page.goto(`/queues/${queue}?state=scheduled`);
  const rows = page.locator('[data-row-link]');
  await expect(rows).toHaveCount(50);
  await rows.nth(3).hover();
  const texts = await rows.allTextContents();
  // Due earlier: they would push the rows down.
  await enqueue(2, 3_600_000);
  const news = page.getByRole('button', { name: '2 new' });
  await expect(news).toBeVisible();
  await expect(rows).toHaveText(texts);
  await news.click();
  await expect(rows.nth(2)).toHaveText(texts[0] ?? '');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await expect(page.getByText('1 selected')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
  await page.getByRole('button', { name: /^Select all \d+ that match$/ }).click();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Cancel jobs…' }).click();
  await expect(page.getByRole('dialog')).toContainText('62');
});
