/** The tables of docs/benchmarks.md about pages: what was measured in review beside what is now, then every page. */
import { asStored, number, tableOf } from '../harness/bench-report';
import { stampLine } from '../harness/machine';
import type { Spread } from '../harness/statistics';
import { kb, ms, type PageRow, type PagesReport, type WorldReport, whole } from './pages-report';

const range = (value: Spread | null): string =>
  value === null ? '–' : `${value.min.toFixed(0)}–${value.max.toFixed(0)}`;

const COMPARED_PAGES = ['overview', 'dead letters', 'lab', 'queue'] as const;
type Four = readonly [string, string, string, string];
/** As measured in review, on two cores, before the console was made lighter; and what the same is now. */
const COMPARED: readonly (readonly [what: string, before: Four, now: (row: PageRow) => string])[] = [
  ['script, compressed, kB', ['445', '355', '350', '348'], ({ all }) => kb(all.scriptBytes)],
  ['the same on the wire, with headers', ['480', '390', '384', '381'], ({ all }) => kb(all.scriptWireBytes)],
  ['requests', ['50', '47', '45', '57'], ({ all }) => whole(all.requests)],
  ['of these scripts', ['27', '26', '26', '25'], ({ all }) => whole(all.scripts)],
  ['TTFB, ms', ['40–50', '31–36', '26–41', '31–40'], ({ ttfbMs }) => range(ttfbMs)],
  ['FCP, ms', ['276–356', '244–504', '284–396', '328–344'], ({ fcpMs }) => range(fcpMs)],
  ['first data, ms', ['347–439', '257–601', '745–1,380', '362–381'], ({ firstDataMs }) => range(firstDataMs)],
  [
    'layout shift, first 4 s',
    ['0.0001', '0.025', '0.058–0.061', '0.042–0.048'],
    ({ shift }) => shift?.toFixed(4) ?? '–',
  ],
];

export function pageTables(report: PagesReport): string {
  const [demo, live] = (['demo', 'live'] as const).map((name) =>
    report.worlds.find((world) => world.name === name),
  );
  if (!demo || !live) throw new Error('A report of pages has the demo and the many queues.');
  return [
    `${stampLine(report)} Chromium ${report.browser}, ${report.loads} loads of every page.`,
    comparedTable(demo),
    `Every page, in ms: medians of the demo, and of ${live.queues} queues that change every second. Script in kB.`,
    allTable(demo, live),
    `From a click or key to the next paint: with ${live.queues} queues ${paintText(live)}; in the demo ${paintText(demo)}.`,
  ].join('\n\n');
}

const rowOf = ({ pages }: WorldReport, name: string): PageRow | undefined =>
  pages.find((row) => row.name === name);

const comparedTable = (demo: WorldReport): string =>
  tableOf(
    ['', ...COMPARED_PAGES.flatMap((name) => [`${name}, before`, 'now'])],
    COMPARED.map(([what, before, now]) => [
      what,
      ...COMPARED_PAGES.flatMap((name, i) => {
        const row = rowOf(demo, name);
        return [before[i] ?? '–', row ? now(row) : '–'];
      }),
    ]),
  );

function allTable(demo: WorldReport, live: WorldReport): string {
  const times = (row: PageRow | undefined) =>
    row ? [ms(row.ttfbMs), ms(row.fcpMs), ms(row.firstDataMs)] : ['–', '–', '–'];
  return tableOf(
    `page|TTFB|FCP|first data|${live.queues} queues: TTFB|FCP|first data|script before it|script in 2.5 s`.split(
      '|',
    ),
    demo.pages.map((row) => {
      const many = rowOf(live, row.name);
      const { first, all } = many ?? row;
      return [row.name, ...times(row), ...times(many), kb(first.scriptBytes), kb(all.scriptBytes)];
    }),
  );
}

const paintText = ({ interactions: { interactions, p98Ms, worstMs, steps } }: WorldReport): string =>
  `at most ${number(p98Ms)} ms for 98 of 100 (${interactions} of them), ${number(worstMs)} ms for the slowest (${steps[0]?.name ?? '–'})`;

const BEGIN = '<!-- pages -->';
const END = '<!-- /pages -->';

/** @throws Error when the page has lost its marks */
export function withPageTables(page: string, report: PagesReport): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`docs/benchmarks.md needs the lines ${BEGIN} and ${END}.`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${pageTables(asStored(report))}\n\n${page.slice(end)}`;
}
