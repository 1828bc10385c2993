/** What moves on a page by itself, as the browser tells it. */
import { type BrowserContext, expect, type Page } from '@playwright/test';

/** A tenth of a screen moved by a tenth of it is 0.01. */
const SHIFT_MAX = 0.02;
/** Parts of a page that arrive one after the other must not move each other. */
const SLOW_LINE = { offline: false, latency: 100, downloadThroughput: 150_000, uploadThroughput: 150_000 };
/** A wide screen and a phone. */
export const LOOKS = [
  { width: 1_440, height: 900 },
  { width: 390, height: 844 },
] as const;

/** A page on a slow line whose shifts, errors and prefetches are kept from its first moment on. */
export async function openTab(context: BrowserContext, path: string) {
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  await devTools.send('Network.emulateNetworkConditions', SLOW_LINE);
  const errors: string[] = [];
  const prefetches: string[] = [];
  const pending = new Set<string>();
  page.on('request', (sent) => pending.add(sent.url()));
  page.on('requestfinished', (done) => pending.delete(done.url()));
  page.on('requestfailed', (failed) => pending.delete(failed.url()));
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
  });
  page.on('request', (sent) => {
    const headers = sent.headers();
    if (!headers['next-router-prefetch']) return;
    const { pathname, searchParams } = new URL(sent.url());
    searchParams.delete('_rsc');
    // A page is prefetched in segments.
    prefetches.push(`${pathname}?${searchParams} ${headers['next-router-segment-prefetch'] ?? ''}`);
  });
  await page.addInitScript(collectShifts);
  // Six tabs on slow lines: a load that ends late must say what the page waited for.
  await page.goto(path, { timeout: 150_000 }).catch((error) => {
    throw new Error(`${path} waits for ${[...pending].join(', ') || 'nothing'}`, { cause: error });
  });
  await expect(page.locator('[data-slot=connection][data-kind=live]')).toBeVisible();
  // By the page's clock: a busy machine shows it fewer frames, and not more.
  const watch = (ms: number) =>
    page.waitForFunction((until) => performance.now() > until, ms, { timeout: 120_000, polling: 500 });
  return { path, page, errors, prefetches, watch };
}

interface Shift {
  readonly value: number;
  readonly at: number;
  /** What moved, as its tag, first classes, and places: an element that is gone has no name. */
  readonly moved: readonly string[];
  /** What the page said at its top by then. */
  readonly notices: readonly string[];
}
declare global {
  interface Window {
    shifts?: Shift[];
  }
}

/**
 * Runs in the page. Chromium leaves out what follows an input by half a second. Left out here: what a page does whose connection was
 * lost, as on a machine that stood still for seconds; then a notice must appear.
 */
function collectShifts(): void {
  const shifts: Shift[] = [];
  window.shifts = shifts;
  let wasLive = false;
  let lostAtMs = Number.NEGATIVE_INFINITY;
  const look = () => {
    const kind = document.querySelector('[data-slot=connection]')?.getAttribute('data-kind');
    if (kind === 'live') wasLive = true;
    else if (wasLive) lostAtMs = performance.now();
  };
  setInterval(look, 100);
  const nameOf = (node: Node | null): string => {
    const element = node instanceof Element ? node : node?.parentElement;
    return element ? `${element.tagName} ${element.getAttribute('class')?.slice(0, 60) ?? ''}` : 'gone';
  };
  const rectOf = ({ x, y, width, height }: DOMRect): string =>
    `${[x, y].map(Math.round)} ${[width, height].map(Math.round)}`;
  const placeOf = (source: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }): string =>
    `${nameOf(source.node)} from ${rectOf(source.previousRect)} to ${rectOf(source.currentRect)}`;
  const noticesOf = () =>
    [...document.querySelectorAll('header, [role=status], [role=alert]')].map(
      ({ textContent }) => textContent?.slice(0, 120) ?? '',
    );
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, hadRecentInput, startTime, sources } = entry as PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources: readonly { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
      };
      look();
      if (startTime - lostAtMs < 1_000) console.info(`moved by ${value} while not live`);
      else if (!hadRecentInput)
        shifts.push({ value, at: Math.round(startTime), moved: sources.map(placeOf), notices: noticesOf() });
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

const shiftsOf = (page: Page): Promise<Shift[]> => page.evaluate(() => window.shifts ?? []);

/** Says what moved if the page moved by more than next to nothing. @param what begins the line in the log */
export async function expectStill(page: Page, what: string): Promise<void> {
  const shifts = await shiftsOf(page);
  const total = shifts.reduce((sum, { value }) => sum + value, 0);
  const worst = shifts
    .filter(({ value }) => value > 0.001)
    .map(({ value, moved }) => `${value.toFixed(4)} ${[...new Set(moved)]}`);
  console.log(`${what}: moved by ${total.toFixed(4)}`, ...worst);
  expect.soft(total, `${what} moved: ${JSON.stringify(shifts)}`).toBeLessThanOrEqual(SHIFT_MAX);
}
