/** The figures of docs/scale.md, from the results of a whole run. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asStored, number, tableOf } from '../harness/bench-report';
import { stampLine } from '../harness/machine';
import { BACKLOG_SECONDS, type Needs, NODE_SHARE, needsAt } from './scale-needs';
import type { DimensionName } from './scale-plan';
import { type PointResult, type ScaleReport, totalUs } from './scale-report';

const DOCS = join(import.meta.dirname, '../../docs/scale.md');
const BEGIN = '<!-- Figures: written by `npm run bench:scale`. -->';
const END = '<!-- End of the figures. -->';
const RATES = [10_000, 100_000];
const GROWTH: readonly [DimensionName, string][] = [
  ['shards', 'shards of one queue, on a Cluster of three'],
  ['queues', 'queues that the jobs are spread over'],
  ['processes', 'worker processes of one queue'],
  ['waiting', 'jobs waiting'],
  ['payload', 'bytes of payload'],
];

export function writeDocs(report: ScaleReport, file = DOCS): void {
  writeFileSync(file, withFigures(readFileSync(file, 'utf8'), asStored(report)));
}

/** @throws Error when the page has lost its marks */
export function withFigures(page: string, report: ScaleReport): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`docs/scale.md needs the lines ${BEGIN} and ${END}.`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${figuresOf(report)}\n\n${page.slice(end)}`;
}

function figuresOf(report: ScaleReport): string {
  return [
    `Measured: ${stampLine(report)}`,
    '**A job of 200 bytes, from enqueue to ack.** Jobs come one by one, the handler takes 5 ms, the queue is in 8 shards on a Cluster of three; the last row is a backlog, run as fast as possible.',
    costTable(report),
    `**What that means at ${RATES.map(count).join(' and ')} jobs a second**, with Redis at most ${NODE_SHARE * 100} % busy.`,
    needsTable(report),
    '**Growth**: µs a job of producer, worker and Redis together, while a backlog is run.',
    growthTable(report),
  ].join('\n\n');
}

const count = (value: number): string => value.toLocaleString('en');
const pointsOf = (report: ScaleReport, name: DimensionName): readonly PointResult[] =>
  report.dimensions.find((dimension) => dimension.name === name)?.points ?? [];
const costCells = (point: PointResult): string[] => [
  number(point.enqueueClientUs),
  number(point.runClientUs),
  number(point.redisUs),
  number(point.receivedBytes),
  number(point.sentBytes),
  number(point.aofBytes),
];

function costTable(report: ScaleReport): string {
  const backlog = pointsOf(report, 'shards').filter(({ value }) => value === 8);
  return tableOf(
    'jobs/s a worker process|producer µs|worker µs|Redis µs|bytes to Redis|from Redis|to the log'.split('|'),
    [
      ...pointsOf(report, 'rate-cluster').map((point) => [count(point.value), ...costCells(point)]),
      ...backlog.map((point) => [`backlog, ${count(Math.round(point.runPerSecond))}`, ...costCells(point)]),
    ],
  );
}

export function needsOf(report: ScaleReport): Needs[] {
  // Of a waiting job in a large backlog: tables that grow by doubling weigh most there.
  const bytes = Math.max(...pointsOf(report, 'waiting').flatMap(({ memoryBytes }) => memoryBytes ?? []));
  const paces = pointsOf(report, 'rate-cluster').slice(1);
  return RATES.flatMap((rate) => paces.map((pace) => needsAt(rate, pace.value, pace, bytes)));
}

function needsTable(report: ScaleReport): string {
  const needs = needsOf(report);
  const row = (what: string, cell: (one: Needs) => string) => [what, ...needs.map(cell)];
  const cores = (value: number) => value.toFixed(1);
  return tableOf(
    ['jobs a second', ...needs.map(({ perSecond }) => count(perSecond))],
    [
      row('jobs a second of each worker process', ({ perProcess }) => count(perProcess)),
      row('worker processes', ({ processes }) => count(processes)),
      row('of a core each, without handlers', ({ processShare }) => `${Math.round(processShare * 100)} %`),
      row('cores of the producers', ({ producerCores }) => cores(producerCores)),
      row('cores of Redis', ({ redisCores }) => cores(redisCores)),
      row('Redis masters', ({ nodes }) => String(nodes)),
      row('shards of the queue', ({ shards }) => String(shards)),
      row('network to Redis, MB/s', ({ toRedisMb }) => number(toRedisMb)),
      row('network from Redis, MB/s', ({ fromRedisMb }) => number(fromRedisMb)),
      row('append-only files, MB/s', ({ logMb }) => number(logMb)),
      row(`memory for ${BACKLOG_SECONDS / 60} minutes without workers, GB`, ({ backlogGb }) =>
        number(backlogGb),
      ),
    ],
  );
}

function growthTable(report: ScaleReport): string {
  return tableOf(
    ['what grows', 'µs a job'],
    GROWTH.map(([name, what]) => [
      what,
      pointsOf(report, name)
        .map((point) => `${count(point.value)}: ${Math.round(totalUs(point))}`)
        .join(' · '),
    ]),
  );
}
