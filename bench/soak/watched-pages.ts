/** Pages of the console open in a Chromium, as an operator leaves them on a wall: what they hold after a collection. */
import type { Browser, CDPSession, Page } from '@playwright/test';
import { within } from '@/scripts/lib/deadline.mjs';
import { launchBrowser, openContext } from '../harness/browser';

const OPEN_MS = 60_000;
const READ_MS = 30_000;
const LIVE = '[data-slot=connection][data-kind=live]';

export interface PageSize {
  heapBytes: number;
  nodes: number;
  listeners: number;
}

export interface WatchedPage {
  readonly path: string;
  /** @throws Error when the page is not live, or logged an error */
  read(): Promise<PageSize>;
  /** How many different texts it has shown, of those that `read` saw. */
  changes(): number;
}

export interface WatchedPages {
  readonly pages: readonly WatchedPage[];
  close(): Promise<void>;
}

/** @param cookie of a session, `name=value` */
export async function openPages(
  url: string,
  cookie: string,
  paths: readonly string[],
): Promise<WatchedPages> {
  const browser = await launchBrowser();
  try {
    const context = await openContext(browser, url, cookie);
    const pages: WatchedPage[] = [];
    for (const path of paths) pages.push(await openPage(await context.newPage(), path));
    return { pages, close: () => browser.close() };
  } catch (error) {
    await closeQuietly(browser);
    throw error;
  }
}

async function openPage(page: Page, path: string): Promise<WatchedPage> {
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('crash', () => errors.push('the tab crashed'));
  await page.goto(path, { timeout: OPEN_MS });
  await page.locator(LIVE).waitFor({ timeout: OPEN_MS });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await session.send('HeapProfiler.enable');
  const texts = new Set<string>();
  return {
    path,
    changes: () => texts.size,
    async read() {
      await page.locator(LIVE).waitFor({ timeout: READ_MS });
      if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0]}`);
      texts.add(await page.locator('main').innerText({ timeout: READ_MS }));
      return within(readSize(session), READ_MS, `${path} to be measured`);
    },
  };
}

async function readSize(session: CDPSession): Promise<PageSize> {
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const metricOf = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
  return {
    heapBytes: metricOf('JSHeapUsedSize'),
    nodes: metricOf('Nodes'),
    listeners: metricOf('JSEventListeners'),
  };
}

const closeQuietly = (browser: Browser) => browser.close().catch(() => undefined);
