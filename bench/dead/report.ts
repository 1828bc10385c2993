import type { Row } from '../harness/judge';
import type { Machine } from '../harness/machine';
import { missed, number, tableOf } from '../harness/report';
import { LONGEST_SCRIPT_BAR_MS } from './measures';
import type { ScriptLook } from './scripts';

export interface DeadReport {
  machine: Machine;
  versions: Record<string, string>;
  at: string;
  jobs: number;
  measures: Row[];
  scripts: ScriptLook;
}

export function deadMarkdown({ machine, versions, at, jobs, measures, scripts }: DeadReport): string {
  const misses = missed(measures);
  const judged = measures.filter(({ met }) => met !== null).length;
  return [
    '# Results of `npm run bench:dead`',
    `${at.slice(0, 16).replace('T', ' ')} UTC. ${machine.cores} cores of ${machine.processor}, ${machine.memoryGiB} GiB, ${machine.system}. redrive ${versions.redrive}, redis ${versions.redis}, node ${versions.node}.`,
    `${jobs.toLocaleString('en')} dead letters of 20 types, 500 tenants and 40 failure groups in one queue, append-only file on. What is measured, and how, is in [docs/benchmarks.md](../../docs/benchmarks.md).`,
    `**${judged - misses.length} of ${judged} bars met.**`,
    ...(misses.length ? [`Missed:\n\n${misses.map((line) => `- ${line}`).join('\n')}`] : []),
    tableOf(
      ['measure', 'Redrive', 'spread', 'bar', ''],
      measures.map(({ title, name, unit, ours, min, max, bar, met }) => [
        `${title} (\`${name}\`)`,
        `${number(ours)} ${unit}`,
        min === null || max === null ? '–' : `${number(min)}–${number(max)}`,
        bar === null ? '–' : `≤ ${bar} ${unit}`,
        bar === null ? '–' : met === null ? 'not measured' : met ? 'met' : '**missed**',
      ]),
    ),
    '## The longest scripts',
    `${scripts.overBar} of ${scripts.runs.toLocaleString('en')} scripts took over ${LONGEST_SCRIPT_BAR_MS} ms.`,
    scripts.slow.length === 0
      ? 'None took a millisecond.'
      : tableOf(
          ['script', 'ms'],
          scripts.slow.map(({ what, ms }) => [`\`${what}\``, ms.toFixed(2)]),
        ),
    '## Commands',
    'Calls inside Redis over all that is measured, most first.',
    tableOf(
      ['command', 'calls'],
      scripts.commands.map(({ command, calls }) => [`\`${command}\``, calls.toLocaleString('en')]),
    ),
  ].join('\n\n');
}
