/** The results of a soak as Markdown. */
import { tableOf } from '../harness/bench-report';
import { type Stamp, stampLine } from '../harness/machine';
import { growthOf, inUnit } from './growth-verdict';
import type { SoakReport } from './run-soak';
import { allowedBytes, differenceOf, megabytes } from './soak-verdict';
import type { WatchReport } from './watch-console';

const count = (n: number): string => Math.round(n).toLocaleString('en');

export function markdown(report: SoakReport & Stamp & { watched: WatchReport | null }): string {
  const { memory, heaps, keys, happened, findings, odd } = report;
  const oddities = Object.entries(odd).map(([what, times]) => `${what} ${count(times)}`);
  return [
    '# Results of `npm run soak`',
    stampLine(report),
    `${count(report.jobs)} jobs in ${Math.round(report.tookMs / 1_000)} s (${count(report.jobsPerSecond)} a second).`,
    findings.length === 0
      ? '**All of it was given back, and the ledger balances.**'
      : `**Not as it should be:**\n\n${findings.map((line) => `- ${line}`).join('\n')}`,
    '## Memory of Redis',
    tableOf(
      ['what', 'bytes'],
      [
        ['baseline: connected and empty', megabytes(memory.baselineBytes)],
        ['peak', megabytes(memory.peakBytes)],
        ['end', megabytes(memory.endBytes)],
        ['retained: the keys that are left', megabytes(memory.retainedBytes)],
        ['the same keys written afresh', megabytes(memory.afreshBytes)],
        ['difference: end − baseline − retained', megabytes(differenceOf(memory))],
        ['allowed: 5 % of the peak + 2 MB', megabytes(allowedBytes(memory))],
        [
          'for comparison, `used_memory_dataset` from → to',
          `${megabytes(report.datasetBytes.baseline)} → ${megabytes(report.datasetBytes.end)}`,
        ],
      ],
    ),
    '## Memory of the processes, after a collection',
    tableOf(
      ['process', 'at the start', 'at the end', 'grown', 'resident at the end'],
      heaps.map(({ name, start, end }) => [
        name,
        megabytes(start.heldBytes),
        megabytes(end.heldBytes),
        megabytes(end.heldBytes - start.heldBytes),
        megabytes(end.rssBytes),
      ]),
    ),
    ...watchedSection(report.watched),
    '## What happened',
    tableOf(
      ['jobs', ''],
      Object.entries(happened).map(([what, times]) => [what, count(times)]),
    ),
    `Of the dead, ${count(report.triaged.kept)} were left, ${count(report.triaged.suppressed)} suppressed, ${count(report.triaged.redriven)} re-driven, ${count(report.triaged.purged)} purged (and ${count(report.triaged.operations)} operations by filter run).${oddities.length > 0 ? ` Rare, reported by the workers: ${oddities.join(', ')}.` : ''}`,
    '## The keys that are left',
    tableOf(
      ['key', 'type', 'rows', 'bytes'],
      keys.map(({ name, type, size, bytes }) => [`\`${name}\``, type, count(size), count(bytes)]),
    ),
  ].join('\n\n');
}

function watchedSection(watched: WatchReport | null): string[] {
  if (watched === null) return [];
  return [
    '## The console and its pages',
    `Watched for ${count(watched.minutes)} minutes over ${count(watched.completed)} completed jobs, each number after a collection; medians of the second quarter of the time and of the last.`,
    tableOf(
      ['what', 'second quarter', 'last quarter', 'grown', 'allowed'],
      watched.series.map(({ name, unit, values, allowed }) => {
        const { second, last } = growthOf(values);
        return [name, ...[second, last, last - second, allowed].map((value) => inUnit(value, unit))];
      }),
    ),
  ];
}
