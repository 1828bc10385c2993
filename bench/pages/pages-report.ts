/** The results of `npm run bench:pages`, and the table of docs/benchmarks.md: what was measured in review, and what is now. */
import type { ConsolePage } from '@/testing/pages/console-pages';
import type { PageLoad } from '@/testing/pages/page-load';
import { asStored, metOrMissed, number, tableOf } from '../harness/bench-report';
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
    `What is measured, and how, is in [docs/benchmarks.md](../../docs/benchmarks.md#speed-of-the-console). Script is compressed, without headers, in kB.`,
    ...worlds.flatMap((world) => [
      `## ${TITLES[world.name](world.queues)}`,
      worldTable(world),
      interactionText(world.interactions),
      interactionTable(world.interactions),
    ]),
  ].join('\n\n');
}

const ms = (value: Spread | null): string => (value === null ? '–' : value.median.toFixed(0));
const kb = (bytes: number): string => (bytes / KB).toFixed(0);

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
      number0(row.first.requests),
      kb(row.first.scriptBytes),
      number0(row.all.requests),
      number0(row.all.scripts),
      kb(row.all.scriptBytes),
      row.shift?.toFixed(4) ?? '–',
    ]),
  );
}

const number0 = (value: number): string => value.toFixed(0);

const interactionText = ({ interactions, p98Ms, worstMs }: InteractionTimes): string =>
  `${interactions} clicks and keys, until the next paint: ${number(p98Ms)} ms for 98 of 100, ${number(worstMs)} ms for the slowest. A browser reports those of 16 ms and more, in steps of 8:`;

const interactionTable = ({ steps }: InteractionTimes): string =>
  tableOf(
    ['what was done', 'reported', 'slowest, ms'],
    steps.map(({ name, interactions, worstMs }) => [name, number0(interactions), number0(worstMs)]),
  );

/** As measured in review, on two cores, before the console was made lighter. Layout shift: over 19 to 40 seconds. */
const BEFORE = [
  [
    'overview',
    {
      script: '445',
      wire: '480',
      requests: '50',
      scripts: '27',
      ttfb: '40–50',
      fcp: '276–356',
      first: '347–439',
      shift: '0.0001',
      long: '0.0006',
    },
  ],
  [
    'dead letters',
    {
      script: '355',
      wire: '390',
      requests: '47',
      scripts: '26',
      ttfb: '31–36',
      fcp: '244–504',
      first: '257–601',
      shift: '0.025',
      long: '0.026',
    },
  ],
  [
    'lab',
    {
      script: '350',
      wire: '384',
      requests: '45',
      scripts: '26',
      ttfb: '26–41',
      fcp: '284–396',
      first: '745–1,380',
      shift: '0.058–0.061',
      long: '0.23',
    },
  ],
  [
    'queue',
    {
      script: '348',
      wire: '381',
      requests: '57',
      scripts: '25',
      ttfb: '31–40',
      fcp: '328–344',
      first: '362–381',
      shift: '0.042–0.048',
      long: '0.47',
    },
  ],
] as const;

const range = (value: Spread | null): string =>
  value === null ? '–' : `${value.min.toFixed(0)}–${value.max.toFixed(0)}`;

type Before = (typeof BEFORE)[number][1];
const COMPARED: readonly (readonly [string, keyof Before, (row: PageRow) => string])[] = [
  ['script, compressed, kB', 'script', ({ all }) => kb(all.scriptBytes)],
  ['the same on the wire, with headers', 'wire', ({ all }) => kb(all.scriptWireBytes)],
  ['requests', 'requests', ({ all }) => number0(all.requests)],
  ['of these scripts', 'scripts', ({ all }) => number0(all.scripts)],
  ['TTFB, ms', 'ttfb', ({ ttfbMs }) => range(ttfbMs)],
  ['FCP, ms', 'fcp', ({ fcpMs }) => range(fcpMs)],
  ['first data, ms', 'first', ({ firstDataMs }) => range(firstDataMs)],
  ['layout shift, first 4 s', 'shift', ({ shift }) => shift?.toFixed(4) ?? '–'],
];

/** The review's pages, before and now, side by side; then every page. */
export function pageTables(report: PagesReport): string {
  const [demo, live] = (['demo', 'live'] as const).map((name) =>
    report.worlds.find((world) => world.name === name),
  );
  if (!demo || !live) throw new Error('A report of pages has the demo and the many queues.');
  const rowOf = (world: WorldReport, name: string) => world.pages.find((row) => row.name === name);
  const compared = tableOf(
    ['', ...BEFORE.flatMap(([name]) => [`${name}, before`, 'now'])],
    COMPARED.map(([what, key, now]) => [
      what,
      ...BEFORE.flatMap(([name, before]) => {
        const row = rowOf(demo, name);
        return [before[key], row ? now(row) : '–'];
      }),
    ]),
  );
  const all = tableOf(
    [
      'page',
      'TTFB',
      'FCP',
      'first data',
      `${live.queues} queues: TTFB`,
      'FCP',
      'first data',
      'script before it',
      'script in 2.5 s',
    ],
    demo.pages.map((row) => {
      const many = rowOf(live, row.name);
      return [
        row.name,
        ms(row.ttfbMs),
        ms(row.fcpMs),
        ms(row.firstDataMs),
        ...(many
          ? [
              ms(many.ttfbMs),
              ms(many.fcpMs),
              ms(many.firstDataMs),
              kb(many.first.scriptBytes),
              kb(many.all.scriptBytes),
            ]
          : ['–', '–', '–', '–', '–']),
      ];
    }),
  );
  const inp = ({ interactions: { interactions, p98Ms, worstMs, steps } }: WorldReport): string =>
    `${number(p98Ms)} ms for 98 of 100 of ${interactions} clicks and keys, ${number(worstMs)} ms for the slowest (${steps[0]?.name})`;
  return [
    `${stampLine(report)} Chromium ${report.browser}, ${report.loads} loads.`,
    compared,
    `Every page, in ms, with the medians of the demo and of ${live.queues} queues that change every second; script in kB.`,
    all,
    `From a click or key to the next paint: with ${live.queues} queues ${inp(live)}; in the demo ${inp(demo)}.`,
  ].join('\n\n');
}

const BEGIN = '<!-- pages -->';
const END = '<!-- /pages -->';

/** @throws Error when the page has lost its marks */
export function withPageTable(page: string, report: PagesReport): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`docs/benchmarks.md needs the lines ${BEGIN} and ${END}.`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${pageTables(asStored(report))}\n\n${page.slice(end)}`;
}
