/** The tables of `npm run bench:ablation`, in its results and in docs/benchmarks.md. */
import { tableOf } from '../harness/bench-report';
import { stampLine } from '../harness/machine';
import type { Spread } from '../harness/statistics';
import { type AblationReport, type AblationRow, FIGURES } from './ablation-rows';

const [OPENS, CLOSES] = ['<!-- ablation -->', '<!-- /ablation -->'];

const signed = (us: number): string => `${us < 0 ? '−' : '+'}${Math.abs(us).toFixed(1)}`;
const moreOf = (more: Spread | null): string =>
  more === null ? '' : `${signed(more.median)} (${signed(more.min)} … ${signed(more.max)})`;

const HEADS = ['run: client', '±', 'Redis', '±', 'enqueue: client', '±', 'Redis', '±', 'bytes', '±'];
const linesOf = (rows: readonly AblationRow[]): string[][] =>
  rows.map(({ title, costs }) => [
    title,
    ...FIGURES.flatMap((figure) => {
      const { median, more } = costs[figure];
      // Bytes are the same in every round.
      if (figure === 'logBytes') return [median.toFixed(0), more === null ? '' : signed(more.median)];
      return [median.toFixed(1), moreOf(more)];
    }),
  ]);

/** What was added one after the other, then what costs more when it is used. */
export function ablationTables({ rows, rounds, concurrency, jobs, ...stamp }: AblationReport): string {
  const heads = (first: string) => [first, ...HEADS];
  const of = (wanted: AblationRow['kind']) => linesOf(rows.filter(({ kind }) => kind === wanted));
  return [
    `${stampLine(stamp)} Concurrency ${concurrency}, ${jobs.toLocaleString('en')} jobs, ${rounds} rounds; µs of processor time a job: the median, then the median (smallest … largest) of the differences within a round. Bytes are those of the append-only file for a job, enqueue to ack.`,
    tableOf(heads('added to all above'), of('added')),
    'The last line is compared with the first. With the pieces up to zod there, one is put to use:',
    tableOf(heads('put to use'), of('used')),
    'Redrive beside the plain design with the pieces up to zod, and with one of its features in use:',
    tableOf(heads('product'), of('product')),
  ].join('\n\n');
}

export const ablationMarkdown = (report: AblationReport): string =>
  [
    '# Results of `npm run bench:ablation`',
    'What is added, and how, is in [docs/benchmarks.md](../../docs/benchmarks.md#what-each-thing-costs).',
    ablationTables(report),
  ].join('\n\n');

/** @throws Error when the page has no place for them */
export function withTables(page: string, tables: string): string {
  const [start, end] = [page.indexOf(OPENS), page.indexOf(CLOSES)];
  if (start === -1 || end < start) throw new Error(`The page has no lines ${OPENS} and ${CLOSES}.`);
  return `${page.slice(0, start)}${OPENS}\n\n${tables}\n\n${page.slice(end)}`;
}
