/** The results of `npm run bench:pages`, for machines and for people. */
import type { ConsolePage } from '@/testing/pages/console-pages';
import type { PageLoad } from '@/testing/pages/page-load';
import { metOrMissed, number, tableOf } from '../harness/bench-report';
import { type Stamp, stampLine } from '../harness/machine';
import { median, type Spread, spread } from '../harness/statistics';
import type { InteractionTimes } from './page-interactions';

export const BARS = { firstDataMs: 350, interactionMs: 200 } as const;
/** What a page loads by itself; dialogs are loaded three seconds after it. */
export const ALL_MS = 2_500;
export const SHIFT_MS = 4_000;
const KB = 1_000;

/** One load, read at two moments. */
export interface LoadReading {
  /** When the first data was on the screen. */
  first: PageLoad;
  /** After `ALL_MS`. */
  all: PageLoad;
  /** Layout shifts of the first `SHIFT_MS`; null: not watched for so long. */
  shift: number | null;
}

export interface PageRow {
  name: string;
  path: string;
  ttfbMs: Spread | null;
  fcpMs: Spread | null;
  firstDataMs: Spread | null;
  /** Medians. */
  first: Weight;
  all: Weight;
  shift: number | null;
}
type Weight = Pick<PageLoad, 'requests' | 'scripts' | 'scriptBytes' | 'scriptWireBytes'>;

export type WorldName = 'demo' | 'live';
export interface WorldReport {
  name: WorldName;
  queues: number;
  pages: PageRow[];
  interactions: InteractionTimes;
}
export interface PagesReport extends Stamp {
  browser: string;
  loads: number;
  worlds: WorldReport[];
  met: boolean;
}

export function pageRow({ name, path }: ConsolePage, loads: readonly LoadReading[]): PageRow {
  const spreadOf = (pick: (load: PageLoad) => number) => spread(loads.map(({ first }) => pick(first)));
  const weightOf = (moment: 'first' | 'all'): Weight => {
    const middle = (key: keyof Weight) => median(loads.map((load) => load[moment][key]));
    return {
      requests: middle('requests'),
      scripts: middle('scripts'),
      scriptBytes: middle('scriptBytes'),
      scriptWireBytes: middle('scriptWireBytes'),
    };
  };
  return {
    name,
    path,
    ttfbMs: spreadOf(({ ttfbMs }) => ttfbMs),
    fcpMs: spreadOf(({ fcpMs }) => fcpMs),
    firstDataMs: spreadOf(({ firstDataMs }) => firstDataMs),
    first: weightOf('first'),
    all: weightOf('all'),
    shift: loads.findLast(({ shift }) => shift !== null)?.shift ?? null,
  };
}

const isSoon = ({ firstDataMs }: PageRow): boolean =>
  firstDataMs !== null && firstDataMs.median <= BARS.firstDataMs;
/** Of the demo the time of interactions is only told: the bar is that of many queues. */
export const worldMet = ({ name, pages, interactions }: WorldReport): boolean =>
  pages.every(isSoon) && (name === 'demo' || interactions.p98Ms <= BARS.interactionMs);

const TITLES: Readonly<Record<WorldName, (queues: number) => string>> = {
  demo: (queues) => `The demo at rest, ${queues} queues`,
  live: (queues) => `${queues} queues, each with a job a second`,
};

export function pagesMarkdown(report: PagesReport): string {
  const { loads, browser, met, worlds } = report;
  return [
    '# Results of `npm run bench:pages`',
    `${stampLine(report)} Chromium ${browser}. Medians of ${loads} loads, each of a browser without a cache; of first data also the slowest.`,
    `**${met ? 'All bars are met' : 'A bar is missed'}**: first data within ${BARS.firstDataMs} ms, and ${BARS.interactionMs} ms from a click or key to the next paint (98 of 100, many queues).`,
    `What is measured, and how, is in [docs/benchmarks.md](../../../docs/benchmarks.md#speed-of-the-console). Script is compressed, without headers, in kB.`,
    ...worlds.flatMap((world) => [
      `## ${TITLES[world.name](world.queues)}`,
      worldTable(world),
      interactionText(world.interactions),
      interactionTable(world.interactions),
    ]),
  ].join('\n\n');
}

/** The median. */
export const ms = (value: Spread | null): string => (value === null ? '–' : value.median.toFixed(0));
export const kb = (bytes: number): string => (bytes / KB).toFixed(0);

function worldTable({ pages }: WorldReport): string {
  return tableOf(
    'page|TTFB, ms|FCP, ms|first data, ms|slowest||requests before it|script before it|requests in 2.5 s|scripts|script in 2.5 s|layout shift, 4 s'.split(
      '|',
    ),
    pages.map((row) => [
      row.name,
      ms(row.ttfbMs),
      ms(row.fcpMs),
      ms(row.firstDataMs),
      row.firstDataMs?.max.toFixed(0) ?? '–',
      metOrMissed(isSoon(row)),
      whole(row.first.requests),
      kb(row.first.scriptBytes),
      whole(row.all.requests),
      whole(row.all.scripts),
      kb(row.all.scriptBytes),
      row.shift?.toFixed(4) ?? '–',
    ]),
  );
}

export const whole = (value: number): string => value.toFixed(0);

const interactionText = ({ interactions, p98Ms, worstMs }: InteractionTimes): string =>
  `${interactions} clicks and keys, until the next paint: ${number(p98Ms)} ms for 98 of 100, ${number(worstMs)} ms for the slowest. A browser reports those of 16 ms and more, in steps of 8:`;

const interactionTable = ({ steps }: InteractionTimes): string =>
  tableOf(
    ['what was done', 'reported', 'slowest, ms'],
    steps.map(({ name, interactions, worstMs }) => [name, whole(interactions), whole(worstMs)]),
  );
