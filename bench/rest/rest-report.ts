/** What `npm run bench:rest` found, in words. */
import { metOrMissed, tableOf } from '../harness/bench-report';
import { type Stamp, stampLine } from '../harness/machine';

/** Of a core, in percent, of renderer and GPU process together. */
const BAR_PERCENT = 5;
/** The lab draws each run of its workers. */
const LAB_BAR_PERCENT = 25;

export interface RestRow {
  readonly page: string;
  /** Of a core, in percent: the renderer and the GPU process; of these the main thread of the page. */
  readonly rendererPercent: number;
  readonly gpuPercent: number;
  readonly mainThreadPercent: number;
}

export interface RestReport extends Stamp {
  readonly browser: string;
  readonly seconds: number;
  readonly rows: readonly RestRow[];
  readonly met: boolean;
}

const barOf = ({ page }: RestRow): number => (page === 'lab' ? LAB_BAR_PERCENT : BAR_PERCENT);
const totalOf = ({ rendererPercent, gpuPercent }: RestRow): number => rendererPercent + gpuPercent;
export const isMet = (row: RestRow): boolean => totalOf(row) <= barOf(row);

const percent = (value: number): string => `${value.toFixed(1)} %`;

export function restMarkdown(report: RestReport): string {
  return [
    '# Results of `npm run bench:rest`',
    `${stampLine(report)} Chromium ${report.browser} without a GPU, 1,440 px wide.`,
    `**The bars are ${report.met ? 'met' : 'missed'}.**`,
    `Processor time that a tab of the demo takes while nobody touches it, as a share of a core over ${report.seconds} s.`,
    tableOf(
      ['page', 'renderer and GPU process', 'renderer', 'GPU process', 'main thread', 'bar', ''],
      report.rows.map((row) => [
        row.page,
        percent(totalOf(row)),
        percent(row.rendererPercent),
        percent(row.gpuPercent),
        percent(row.mainThreadPercent),
        `≤ ${barOf(row)} %`,
        metOrMissed(isMet(row)),
      ]),
    ),
  ].join('\n\n');
}
