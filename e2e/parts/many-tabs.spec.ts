/** Many tabs of one browser: over plain HTTP it has six connections to the console for all of them. */
import { type BrowserContext, chromium, expect, type Page, test } from '@playwright/test';
import { STREAMS_A_BROWSER } from '../../lib/browser/live/stream-seats';
import { createBroker } from '../../testing/create-broker';
import { Processes, portFree } from '../../testing/worlds/processes';
import { startRealConsole } from '../../testing/worlds/real-console';
import { ANN } from '../user-pages';
import { STORAGE_REFUSALS } from './foreign-conditions';

const TABS = 8;
const HOST = 'console.test';
/** By their names; the others are counted. */
const PAUSES_SHOWN = 3;
const processes = new Processes();
test.afterAll(() => processes.stopAll());
test.use({ viewport: { width: 800, height: 500 } });
test.beforeEach(() => test.slow());

/** A console with a queue for each tab; it asks for a sign-in where other machines would reach it. */
async function start(publicUrl?: (port: number) => string) {
  const redisUrl = process.env.REDRIVE_E2E_REDIS_URL ?? '';
  const prefix = `tabs-${Date.now().toString(36)}`;
  const broker = createBroker({ url: redisUrl, prefix });
  const add = (queue: string) => broker.enqueue(queue, { jobType: 'email.send', delayMs: 86_400_000 });
  for (let n = 0; n < TABS; n += 1) await add(queueOf(n));
  const port = await portFree();
  const hosts = publicUrl && { PUBLIC_URL: publicUrl(port), REDRIVE_ALLOW_HTTP: 'yes' };
  await startRealConsole(processes, {
    redisUrl,
    port,
    users: hosts ? [ANN] : [],
    env: { REDRIVE_PREFIX: prefix, ...hosts },
  });
  return { broker, add, url: publicUrl?.(port) ?? `http://127.0.0.1:${port}` };
}

const queueOf = (n: number) => `tab-${n}`;
const row = (page: Page, queue: string) => page.locator(`main tr[data-queue="${queue}"]`);
const kindOf = (page: Page) => page.locator('[data-slot=connection]').getAttribute('data-kind');
const kindsOf = async (pages: readonly Page[]) => (await Promise.all(pages.map(kindOf))).sort();
const kinds = (live: number, tabs: number) => [
  ...Array(live).fill('live'),
  ...Array(tabs - live).fill('polling'),
];

async function open(
  context: BrowserContext,
  url: string,
  prepare?: (page: Page, n: number) => Promise<void>,
) {
  const pages: Page[] = [];
  for (let n = 0; n < TABS; n += 1) {
    const page = await context.newPage();
    await prepare?.(page, n);
    await page.goto(url);
    await expect(row(page, queueOf(n)), `tab ${n}`).toBeVisible();
    pages.push(page);
  }
  return pages;
}

async function pauseInEach(pages: readonly Page[], url: string) {
  for (const [n, page] of pages.entries()) {
    await page.goto(`${url}/queues/${queueOf(n)}`);
    // Without the wait for a button that stands still: eight tabs on show take the machine that the frames need.
    await page.getByRole('button', { name: 'Pause…' }).dispatchEvent('click');
    await expect(page).toHaveURL(/dialog=/);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('Tried in many tabs');
    await page.getByRole('button', { name: 'Pause queue' }).dispatchEvent('click');
    const texts = () => dialog.allInnerTexts();
    await expect.poll(texts, { message: `tab ${n}`, timeout: 30_000 }).toEqual([]);
  }
}

async function expectManyTabs(context: BrowserContext, { url, add }: Awaited<ReturnType<typeof start>>) {
  const pages = await open(context, url);
  await expect.poll(() => kindsOf(pages)).toEqual(kinds(STREAMS_A_BROWSER, TABS));
  for (const page of pages)
    if ((await kindOf(page)) === 'polling')
      await expect(page.getByText('Other tabs of this browser have its live updates.')).toBeVisible();

  await add('latest');
  for (const page of pages) await expect(row(page, 'latest')).toBeVisible();
  await pauseInEach(pages, url);
  for (const page of pages)
    await expect(page.getByRole('region', { name: 'Pauses' })).toContainText(`${TABS - PAUSES_SHOWN} more`);

  await expect.poll(() => kindsOf(pages)).toEqual(kinds(STREAMS_A_BROWSER, TABS));
  const now = await Promise.all(pages.map(kindOf));
  for (const [n, page] of pages.entries()) if (now[n] === 'live') await page.close();
  const left = pages.filter((page) => !page.isClosed());
  expect(left).toHaveLength(TABS - STREAMS_A_BROWSER);
  await expect.poll(() => kindsOf(left)).toEqual(kinds(STREAMS_A_BROWSER, left.length));
}

test('eight tabs have live or polled numbers and answer; closed tabs pass their streams on', async ({
  context,
}) => {
  const world = await start();
  await expectManyTabs(context, world);
  world.broker.close();
});

test('so do tabs of a host without a secure context', async () => {
  const { executablePath, args = [] } = test.info().project.use.launchOptions ?? {};
  const browser = await chromium.launch({
    executablePath,
    args: [...args, `--host-resolver-rules=MAP ${HOST} 127.0.0.1`],
  });
  try {
    const world = await start((port) => `http://${HOST}:${port}`);
    const context = await browser.newContext({ viewport: { width: 800, height: 500 } });
    const page = await context.newPage();
    await page.goto(world.url);
    await page.getByLabel('Name').fill(ANN.name);
    await page.getByLabel('Password', { exact: true }).fill(ANN.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(row(page, queueOf(0))).toBeVisible();
    expect(await page.evaluate(() => [isSecureContext, 'locks' in navigator])).toEqual([false, false]);
    await page.close();
    await expectManyTabs(context, world);
    world.broker.close();
  } finally {
    await browser.close();
  }
});

test('with blocked storage the tab in use is live, and all tabs answer', async ({ context }) => {
  const world = await start();
  const focus = (isFocused: boolean) => {
    document.hasFocus = () => isFocused;
    if (isFocused) window.dispatchEvent(new FocusEvent('focus'));
  };
  const pages = await open(context, world.url, async (page, n) => {
    await page.addInitScript(STORAGE_REFUSALS.throws);
    await page.addInitScript(focus, n === 0);
  });
  const all = async () => Promise.all(pages.map(kindOf));
  const only = (live: number) => pages.map((_, n) => (n === live ? 'live' : 'polling'));
  await expect.poll(all).toEqual(only(0));
  await expect((pages[1] as Page).getByText('Click into this tab to make it live.')).toBeVisible();
  await (pages[0] as Page).evaluate(focus, false);
  await (pages[1] as Page).evaluate(focus, true);
  await expect.poll(all).toEqual(only(1));
  await pauseInEach(pages, world.url);
  world.broker.close();
});
