import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { consolePages } from '@/testing/pages/console-pages';
import { type PageReading, pageLoad } from '@/testing/pages/page-load';
import { readOptions } from '../harness/bench-command';
import { interactionTimes } from './page-interactions';
import { bench } from './pages-bench';
import { withPageTables } from './pages-docs';
import { ALL_MS, type LoadReading, type PagesReport, pageRow, pagesMarkdown, worldMet } from './pages-report';

const ROOT = join(import.meta.dirname, '../..');
const DOCS = readFileSync(join(ROOT, 'docs/benchmarks.md'), 'utf8');
const RESULTS = join(ROOT, 'bench/results/console/pages.json');
const PAGES = consolePages({ queue: 'mail', jobId: 'j1', operation: 'o1', route: 'listQueues' });

const script = (name: string, atMs: number) => ({
  path: `/_next/${name}.js`,
  atMs,
  wireBytes: 1_300,
  bodyBytes: 1_000,
});
const READING: PageReading = {
  firstDataMs: 250,
  nowMs: 4_000,
  ttfbMs: 40,
  fcpMs: 200,
  interactions: 100,
  resources: [
    script('first', 50),
    // Begun before the first data, whenever it is complete.
    script('soon', 249),
    script('chart', 600),
    { path: '/api/v1/queues', atMs: 100, wireBytes: 9_000, bodyBytes: 8_000 },
    script('dialog', ALL_MS + 500),
  ],
  shifts: [
    { atMs: 100, value: 0.01 },
    { atMs: 3_000, value: 0.02 },
  ],
  events: [],
};

describe('a page', () => {
  it('is measured at its first data, with what it had asked for by then', () => {
    expect(pageLoad(READING)).toMatchObject({
      firstDataMs: 250,
      requests: 4,
      scripts: 2,
      scriptBytes: 2_000,
    });
    expect(pageLoad(READING, ALL_MS)).toMatchObject({ requests: 5, scripts: 3, scriptWireBytes: 3_900 });
    expect(pageLoad(READING, ALL_MS).shift).toBe(0.01);
  });

  it('shows no data before its first paint', () => {
    expect(pageLoad({ ...READING, firstDataMs: 30 }).firstDataMs).toBe(200);
    expect(pageLoad({ ...READING, firstDataMs: null }).firstDataMs).toBeNaN();
  });
});

describe('clicks and keys', () => {
  const event = (interaction: number, durationMs: number, atMs: number) => ({
    interaction,
    durationMs,
    atMs,
  });
  const scene = {
    marks: [
      { name: 'sort', atMs: 0 },
      { name: 'type', atMs: 1_000 },
    ],
    reading: {
      interactions: 100,
      events: [
        event(1, 16, 10),
        event(1, 240, 11),
        event(2, 104, 1_001),
        event(3, 48, 1_500),
        event(4, 24, 1_600),
      ],
    },
  };

  it('count once each, as their longest event; two of a hundred may be slower', () => {
    expect(interactionTimes([scene])).toEqual({
      interactions: 100,
      p98Ms: 48,
      worstMs: 240,
      steps: [
        { name: 'sort', interactions: 1, worstMs: 240 },
        { name: 'type', interactions: 3, worstMs: 104 },
      ],
    });
  });

  it('that were too short to be reported count, too', () => {
    const none = { ...scene, reading: { interactions: 100, events: [] } };
    expect(interactionTimes([none])).toMatchObject({ interactions: 100, p98Ms: 16 });
    expect(interactionTimes([]).p98Ms).toBeNaN();
  });
});

describe('the report', () => {
  const reading = (firstDataMs: number): LoadReading => {
    const first = pageLoad({ ...READING, firstDataMs });
    return { first, all: pageLoad(READING, ALL_MS), shift: null };
  };
  const rowsOf = (...times: number[]) => PAGES.map((page) => pageRow(page, times.map(reading)));
  const interactions = { interactions: 10, p98Ms: 210, worstMs: 300, steps: [] };
  const world = (name: 'demo' | 'live', ...times: number[]) => ({
    name,
    queues: 12,
    pages: rowsOf(...times),
    interactions,
  });

  it('judges the median of the loads, and clicks and keys with many queues', () => {
    expect(worldMet(world('demo', 900, 340, 300))).toBe(true);
    expect(worldMet(world('demo', 900, 360, 300))).toBe(false);
    expect(worldMet(world('live', 300))).toBe(false);
    expect(worldMet({ ...world('live', 300), interactions: { ...interactions, p98Ms: 200 } })).toBe(true);
  });

  it('is written for people, and into docs/benchmarks.md between its marks', () => {
    const report: PagesReport = {
      at: '2026-01-01T00:00:00.000Z',
      machine: { processor: 'x', cores: 2, memoryGiB: 8, system: 'Linux x64' },
      versions: { redrive: '0', redis: '0', node: '0' },
      browser: '1',
      loads: 3,
      worlds: [world('demo', 300), world('live', 300)],
      met: false,
    };
    expect(pagesMarkdown(report)).toContain('**A bar is missed**');
    const page = withPageTables(DOCS, report);
    expect(page).toContain('| first data, ms | 347–439 | 300–300 |');
    expect(withPageTables(page, report)).toBe(page);
    expect(() => withPageTables('no marks', report)).toThrow(/needs the lines/);
  });

  it.runIf(existsSync(RESULTS))('stands in docs/benchmarks.md as it was measured', () => {
    expect(withPageTables(DOCS, JSON.parse(readFileSync(RESULTS, 'utf8')))).toBe(DOCS);
  });

  it('is not written of fewer loads', () => {
    expect(readOptions(bench, ['--loads', '2'])).toMatchObject({ out: null });
    expect(readOptions(bench, [])).toMatchObject({ out: 'bench/results/console/pages' });
  });
});
