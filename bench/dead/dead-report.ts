import { barOf, barsMet, number, spreadOf, tableOf, verdictOf } from '../harness/bench-report';
import type { Row } from '../harness/bench-verdict';
import { type Stamp, stampLine } from '../harness/machine';
import { LONGEST_SCRIPT_BAR_MS } from './dead-measures';
import type { ScriptTimes } from './dead-scripts';

interface DeadReport extends Stamp {
  jobs: number;
  measures: Row[];
  scripts: ScriptTimes;
}

export function deadMarkdown(report: DeadReport): string {
  const { jobs, measures, scripts } = report;
  return [
    '# Results of `npm run bench:dead`',
    stampLine(report),
    `${jobs.toLocaleString('en')} dead letters of 20 types, 500 tenants and 40 failure groups in one queue, append-only file on. What is measured, and how, is in [docs/benchmarks.md](../../docs/benchmarks.md).`,
    ...barsMet(measures),
    tableOf(
      ['measure', 'Redrive', 'spread', 'bar', ''],
      measures.map((row) => [
        `${row.title} (\`${row.name}\`)`,
        `${number(row.ours)} ${row.unit}`,
        spreadOf(row),
        barOf(row),
        verdictOf(row),
      ]),
    ),
    '## The longest scripts',
    `${scripts.overBar} of ${scripts.runs.toLocaleString('en')} scripts took over ${LONGEST_SCRIPT_BAR_MS} ms.`,
    scripts.slow.length === 0
      ? 'None took a millisecond.'
      : tableOf(
          ['script', 'ms'],
          scripts.slow.map(({ script, ms }) => [`\`${script}\``, ms.toFixed(2)]),
        ),
    '## Commands',
    'Calls inside Redis over all that is measured, most first.',
    tableOf(
      ['command', 'calls'],
      scripts.commands.map(({ command, calls }) => [`\`${command}\``, calls.toLocaleString('en')]),
    ),
  ].join('\n\n');
}
