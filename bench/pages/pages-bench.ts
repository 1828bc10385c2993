/** `npm run bench:pages`: how soon each page of a built console shows its data, what it loads for that, and how soon it answers to clicks and keys. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { type ConsolePage, consolePages } from '@/testing/pages/console-pages';
import { newWatchedPage, pageLoad, readPageAt } from '@/testing/pages/page-load';
import type { Bench } from '../harness/bench-command';
import { launchBrowser, openContext } from '../harness/browser';
import { buildConsole } from '../harness/bundle';
import { stamp } from '../harness/machine';
import {
  type InteractionTimes,
  interactionTimes,
  type PlayedScene,
  playScene,
  scenesOf,
} from './page-interactions';
import { type PageWorld, startDemoWorld, startLiveWorld } from './page-worlds';
import { withPageTables } from './pages-docs';
import {
  ALL_MS,
  type LoadReading,
  type PagesReport,
  pageRow,
  pagesMarkdown,
  SHIFT_MS,
  type WorldName,
  type WorldReport,
  worldMet,
} from './pages-report';

const OUT = 'bench/results/console/pages';
const DOCS = join(import.meta.dirname, '../../docs/benchmarks.md');
const LOADS = 5;
/** From twenty queues on the overview has a filter. */
const LISTED_QUEUES = 20;

export const bench: Bench<'loads' | 'rounds' | 'queues'> = {
  help: `npm run bench:pages [-- options]

  --loads N    cold loads of every page (default ${LOADS}; fewer are only printed, except with --out)
  --rounds N   rounds of the clicks and keys (default 3)
  --queues N   queues that change every second (default 200)
  --quick      one load, one round and 30 queues: shows that everything works
  --out FILE   writes FILE.json and FILE.md (default ${OUT}, which also renews the table in docs/benchmarks.md)`,
  out: OUT,
  numbers: {
    loads: { default: LOADS, quick: 1, max: 100 },
    rounds: { default: 3, quick: 1, max: 100 },
    queues: { default: 200, quick: 30, min: 20, max: 10_000 },
  },
  isPartial: ({ numbers }) => numbers.loads < LOADS,
  async run({ numbers: { loads, rounds, queues }, out }, say) {
    await buildConsole();
    const browser = await launchBrowser();
    try {
      const starts: [WorldName, () => Promise<PageWorld>][] = [
        ['demo', startDemoWorld],
        ['live', () => startLiveWorld(queues)],
      ];
      const worlds: WorldReport[] = [];
      for (const [name, start] of starts) {
        const world = await start();
        say(`The console of ${world.queues} queues is up.`);
        try {
          const measured = measureWorld(browser, name, world, { loads, rounds, say });
          worlds.push(await Promise.race([measured, world.failed]));
        } finally {
          await world.stop();
        }
      }
      const met = worlds.every(worldMet);
      const report: PagesReport = { ...stamp(), browser: browser.version(), loads, worlds, met };
      if (out === OUT) writeFileSync(DOCS, withPageTables(readFileSync(DOCS, 'utf8'), report));
      return { report, text: pagesMarkdown(report), ok: met };
    } finally {
      await browser.close();
    }
  },
};

interface Effort {
  loads: number;
  rounds: number;
  say: (line: string) => void;
}

async function measureWorld(
  browser: Browser,
  name: WorldName,
  world: PageWorld,
  { loads, rounds, say }: Effort,
): Promise<WorldReport> {
  const pages = consolePages(world.places);
  const readings = new Map(pages.map((page) => [page.name, [] as LoadReading[]]));
  // Compiles what the server runs for it: no cost of a page.
  for (const { path } of pages) await world.own.ask(path, { headers: { cookie: world.cookie } });
  for (let load = 1; load <= loads; load += 1) {
    for (const page of pages) {
      // Shifts are watched for longer, in the last load only.
      const reading = await loadCold(browser, world, page, load === loads ? SHIFT_MS : ALL_MS);
      readings.get(page.name)?.push(reading);
    }
    const slowest = pages
      .map(({ name: page }) => ({ page, ms: readings.get(page)?.at(-1)?.first.firstDataMs ?? Number.NaN }))
      .sort((a, b) => b.ms - a.ms)[0];
    say(`${name}, load ${load}: the slowest page, ${slowest?.page}, took ${slowest?.ms.toFixed(0)} ms`);
  }
  const interactions = await measureInteractions(browser, world, rounds);
  say(`${name}: p98 of ${interactions.interactions} clicks and keys ${interactions.p98Ms} ms`);
  const rows = pages.map((page) => pageRow(page, readings.get(page.name) ?? []));
  return { name, queues: world.queues, pages: rows, interactions };
}

async function loadCold(
  browser: Browser,
  { own, cookie }: PageWorld,
  { name, path, data, isPublic }: ConsolePage,
  stayMs: number,
): Promise<LoadReading> {
  const context = await openContext(browser, own.url, isPublic ? null : cookie);
  try {
    const page = await newWatchedPage(context, data);
    await page.goto(path);
    const reading = await readPageAt(page, stayMs, `the page ${name}`);
    return {
      first: pageLoad(reading),
      all: pageLoad(reading, ALL_MS),
      shift: stayMs >= SHIFT_MS ? pageLoad(reading, SHIFT_MS).shift : null,
    };
  } finally {
    await context.close();
  }
}

async function measureInteractions(
  browser: Browser,
  { own, cookie, places, queues }: PageWorld,
  rounds: number,
): Promise<InteractionTimes> {
  const context = await openContext(browser, own.url, cookie);
  try {
    const played: PlayedScene[] = [];
    for (let round = 0; round < rounds; round += 1)
      for (const scene of scenesOf(places.queue, queues >= LISTED_QUEUES))
        played.push(await playScene(context, scene));
    return interactionTimes(played);
  } finally {
    await context.close();
  }
}
