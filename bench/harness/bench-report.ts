/** The results: JSON for machines, Markdown for people. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Row, shortfall } from './bench-verdict';
import { type Stamp, stampLine } from './machine';

export interface Report extends Stamp {
  measures: Row[];
  failures?: string[];
}

const SIDE_TITLES = {
  ours: 'Redrive',
  bullmq: 'BullMQ',
  beeQueue: 'bee-queue',
  design: 'design',
  lean: 'lean',
} as const;

export function number(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
const times = (ratio: number | null | undefined): string =>
  ratio === null || ratio === undefined ? '–' : `${ratio.toFixed(2)} ×`;
const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;

export const tableOf = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

export function barOf({ bar, barOf, better, unit }: Row): string {
  if (bar === null) return '–';
  const sign = better === 'more' ? '≥' : '≤';
  return barOf === 'ratio' ? `${sign} ${bar} ×` : `${sign} ${number(bar)} ${unit}`;
}
export const metOrMissed = (met: boolean): string => (met ? 'met' : '**missed**');
export const verdictOf = ({ met, bar }: Row): string =>
  bar === null ? '–' : met === null ? 'not measured' : metOrMissed(met);
export const spreadOf = ({ min, max, barOf, unit }: Row): string => {
  if (min === null || max === null) return '–';
  return barOf === 'value' || barOf === null
    ? `${number(min)}–${number(max)} ${unit}`
    : `${min.toFixed(2)}–${max.toFixed(2)}`;
};

function mainTable(rows: readonly Row[]): string {
  return tableOf(
    'measure|unit|Redrive|BullMQ|bee-queue|design|lean|× BullMQ|spread|bar||bee-queue ×|design ×|lean ×'.split(
      '|',
    ),
    rows.map((row) => [
      `${row.title} (\`${row.name}\`)`,
      row.unit,
      number(row.ours),
      number(row.peers.bullmq),
      number(row.peers.beeQueue),
      number(row.peers.design),
      number(row.peers.lean),
      times(row.ratio),
      spreadOf(row),
      barOf(row),
      verdictOf(row),
      times(row.ratios.beeQueue),
      times(row.ratios.design),
      times(row.ratios.lean),
    ]),
  );
}

function cpuTable(rows: readonly Row[]): string {
  const sides = Object.keys(SIDE_TITLES) as (keyof typeof SIDE_TITLES)[];
  return tableOf(
    ['measure', ...sides.map((side) => SIDE_TITLES[side])],
    rows
      .filter(({ cpu }) => Object.keys(cpu).length > 0)
      .map(({ name, cpu }) => [
        `\`${name}\``,
        ...sides.map((side) => {
          const cost = cpu[side];
          return cost ? `${cost.redisUs.toFixed(1)} + ${cost.clientUs.toFixed(1)}` : '–';
        }),
      ]),
  );
}

export function missed(rows: readonly Row[]): string[] {
  return rows.flatMap((row) => {
    const short = shortfall(row);
    if (short === null) return [];
    const value = row.barOf === 'ratio' ? times(row.ratio) : `${number(row.ours)} ${row.unit}`;
    return [`\`${row.name}\`: ${value}, the bar is ${barOf(row)}; ${percent(short)} away`];
  });
}

/** How many bars are met, then those that are not. */
export function barsMet(rows: readonly Row[]): string[] {
  const misses = missed(rows);
  const judged = rows.filter(({ met }) => met !== null).length;
  return [`**${judged - misses.length} of ${judged} bars met.**`, ...listOf('Missed', misses)];
}
const listOf = (title: string, lines: readonly string[]): string[] =>
  lines.length > 0 ? [`${title}:\n\n${lines.map((line) => `- ${line}`).join('\n')}`] : [];

export function markdown(report: Report): string {
  const { versions, measures, failures = [] } = report;
  const rounds = Math.max(0, ...measures.map((row) => row.rounds));
  return [
    '# Results of `npm run bench`',
    `${stampLine(report, Object.keys(versions))} ${rounds} rounds.`,
    'What is measured, and how, is in [docs/benchmarks.md](../../docs/benchmarks.md). × BullMQ is the median of same-round ratios, the spread its smallest and largest (where the bar is a value: of our values). Compare ratios, not rates: rates are of this machine on this day.',
    ...barsMet(measures),
    ...listOf('Failed', failures),
    mainTable(measures),
    '## Processor time a job',
    'Redis + client process, in µs. It repeats from round to round where rates swing with the machine.',
    cpuTable(measures),
    '',
  ].join('\n\n');
}

/** Four digits are more than any of these figures is worth; JSON knows no NaN. */
const rounded = (_key: string, value: unknown): unknown =>
  typeof value === 'number' ? (Number.isFinite(value) ? Number(value.toPrecision(5)) : null) : value;

/** A report as it is read back. */
export const asStored = <T extends object>(report: T): T => JSON.parse(JSON.stringify(report, rounded));

/** @param path without its ending */
export function writeReport(path: string, report: object, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.json`, `${JSON.stringify(report, rounded, 2)}\n`);
  writeFileSync(`${path}.md`, `${text.trimEnd()}\n`);
}

/** Replaces the rows of an earlier report that were measured again; its other rows stay. */
export function mergeRows(path: string, rows: readonly Row[]): Row[] {
  const byName = new Map<string, Row>();
  try {
    const report: { measures?: Row[] } = JSON.parse(readFileSync(`${path}.json`, 'utf8'));
    for (const row of report.measures ?? []) byName.set(row.name, row);
  } catch {
    // No earlier report, or none that can be read.
  }
  for (const row of rows) byName.set(row.name, row);
  return [...byName.values()];
}
