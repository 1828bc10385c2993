/** What a page needed until its first data was on the screen, as its browser saw it. */
import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { until } from '../poll';

const WATCH = join(import.meta.dirname, 'page-watch.mjs');
const FIRST_DATA_MS = 60_000;

export interface PageReading {
  /** When the first data was on the screen; null: not yet. */
  firstDataMs: number | null;
  nowMs: number;
  ttfbMs: number;
  fcpMs: number | null;
  /** Clicks, taps and keys so far; null: this browser does not count them. */
  interactions: number | null;
  resources: { path: string; atMs: number; wireBytes: number; bodyBytes: number }[];
  shifts: { atMs: number; value: number }[];
  /** Those of at least 16 ms. A click is several events of one interaction. */
  events: { atMs: number; durationMs: number; interaction: number }[];
}

export interface PageLoad {
  ttfbMs: number;
  fcpMs: number;
  firstDataMs: number;
  /** The address of the page counts; the event stream, which does not end, does not. */
  requests: number;
  scripts: number;
  /** With their headers. */
  scriptWireBytes: number;
  /** Compressed bodies. */
  scriptBytes: number;
  /** Sum of the layout shifts. */
  shift: number;
}

/** An empty page that will watch itself. @param data selector of the first data */
export async function newWatchedPage(context: BrowserContext, data: string): Promise<Page> {
  const page = await context.newPage();
  await page.addInitScript({ content: `window.firstDataSelector = ${JSON.stringify(data)};` });
  await page.addInitScript({ path: WATCH });
  return page;
}

export const readPage = (page: Page): Promise<PageReading> =>
  page.evaluate<PageReading>('window.pageWatch()');

/** Waits until the first data is on the screen and the page is at least this old. */
export async function readPageAt(page: Page, atMs: number, name: string): Promise<PageReading> {
  return until(
    async () => {
      const reading = await readPage(page);
      return reading.firstDataMs !== null && reading.nowMs >= atMs ? reading : null;
    },
    { what: `the first data of ${name}`, timeoutMs: FIRST_DATA_MS, everyMs: 100 },
  );
}

/**
 * What the page had asked for by then; a script that was on its way counts whole.
 *
 * @param untilMs the first data when left out
 */
export function pageLoad(reading: PageReading, untilMs?: number): PageLoad {
  const fcpMs = reading.fcpMs ?? Number.NaN;
  // Data that the HTML contains is seen with the first paint, and not before.
  const firstDataMs = Math.max(reading.firstDataMs ?? Number.NaN, fcpMs);
  const endMs = untilMs ?? firstDataMs;
  const asked = reading.resources.filter(({ atMs }) => atMs <= endMs);
  const scripts = asked.filter(({ path }) => path.endsWith('.js'));
  return {
    ttfbMs: reading.ttfbMs,
    fcpMs,
    firstDataMs,
    requests: 1 + asked.length,
    scripts: new Set(scripts.map(({ path }) => path)).size,
    scriptWireBytes: sum(scripts.map(({ wireBytes }) => wireBytes)),
    scriptBytes: sum(scripts.map(({ bodyBytes }) => bodyBytes)),
    shift: sum(reading.shifts.filter(({ atMs }) => atMs <= endMs).map(({ value }) => value)),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
