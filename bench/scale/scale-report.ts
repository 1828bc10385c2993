/** The results: medians over the rounds, and how the cost of a job grows. */
import { readFileSync } from 'node:fs';
import { number, tableOf } from '../harness/bench-report';
import { type Stamp, stampLine } from '../harness/machine';
import { median } from '../harness/statistics';
import type { Figures } from './measure-load';
import type { Dimension, DimensionName } from './scale-plan';

export interface Reading {
  value: number;
  figures: Figures;
}
/** Medians over the rounds. */
export interface PointResult extends Figures {
  value: number;
  rounds: number;
  /** Client and Redis together, from round to round. */
  totalMinUs: number;
  totalMaxUs: number;
}
export interface DimensionResult {
  name: DimensionName;
  title: string;
  head: string;
  points: PointResult[];
}
export interface ScaleReport extends Stamp {
  rounds: number;
  dimensions: DimensionResult[];
  failures?: string[];
}

export const totalUs = ({ enqueueClientUs, runClientUs, redisUs }: Figures): number =>
  enqueueClientUs + runClientUs + redisUs;

export function summarise(
  { name, title, head, points }: Dimension,
  readings: readonly Reading[],
): DimensionResult {
  return {
    name,
    title,
    head,
    points: points.flatMap(({ value }) => {
      const same = readings.filter((reading) => reading.value === value).map(({ figures }) => figures);
      if (same.length === 0) return [];
      const middle = (read: (figures: Figures) => number) => median(same.map(read));
      const middleOrNull = (read: (figures: Figures) => number | null) => {
        const values = same.map(read).filter((one) => one !== null);
        return values.length === 0 ? null : median(values);
      };
      const totals = same.map(totalUs);
      return {
        value,
        rounds: same.length,
        enqueueClientUs: middle((one) => one.enqueueClientUs),
        runClientUs: middle((one) => one.runClientUs),
        redisUs: middle((one) => one.redisUs),
        enqueueRedisUs: middleOrNull((one) => one.enqueueRedisUs),
        receivedBytes: middle((one) => one.receivedBytes),
        sentBytes: middle((one) => one.sentBytes),
        aofBytes: middle((one) => one.aofBytes),
        memoryBytes: middleOrNull((one) => one.memoryBytes),
        runPerSecond: middle((one) => one.runPerSecond),
        busiestShare: middle((one) => one.busiestShare),
        totalMinUs: Math.min(...totals),
        totalMaxUs: Math.max(...totals),
      };
    }),
  };
}

/** Replaces the dimensions of an earlier report that were measured again; the others stay. */
export function mergeDimensions(path: string, measured: readonly DimensionResult[]): DimensionResult[] {
  const byName = new Map<string, DimensionResult>();
  try {
    const report: Partial<ScaleReport> = JSON.parse(readFileSync(`${path}.json`, 'utf8'));
    for (const dimension of report.dimensions ?? []) byName.set(dimension.name, dimension);
  } catch {
    // No earlier report, or none that can be read.
  }
  for (const dimension of measured) byName.set(dimension.name, dimension);
  return [...byName.values()];
}

export const inShort = (figures: Figures): string =>
  [
    `client ${figures.enqueueClientUs.toFixed(1)} + ${figures.runClientUs.toFixed(1)} µs`,
    `Redis ${figures.redisUs.toFixed(1)} µs`,
    `${Math.round(figures.receivedBytes)} + ${Math.round(figures.sentBytes)} bytes`,
    `log ${Math.round(figures.aofBytes)} bytes`,
    `memory ${number(figures.memoryBytes)} bytes`,
    `${Math.round(figures.runPerSecond)} jobs/s`,
  ].join(', ');

function dimensionTable({ head, points }: DimensionResult): string {
  const [first] = points;
  const onNodes = points.some(({ busiestShare }) => busiestShare < 1);
  return tableOf(
    [
      head,
      'producer µs',
      'worker µs',
      'Redis µs',
      'all µs',
      'spread',
      '×',
      'to Redis, bytes',
      'from Redis, bytes',
      'log, bytes',
      'memory, bytes',
      'run/s',
      ...(onNodes ? ['busiest node'] : []),
    ],
    points.map((point) => [
      point.value.toLocaleString('en'),
      number(point.enqueueClientUs),
      number(point.runClientUs),
      point.enqueueRedisUs === null
        ? number(point.redisUs)
        : `${number(point.redisUs)} (${number(point.enqueueRedisUs)} to enqueue)`,
      number(totalUs(point)),
      point.rounds === 1 ? '–' : `${number(point.totalMinUs)}–${number(point.totalMaxUs)}`,
      (totalUs(point) / (first ? totalUs(first) : Number.NaN)).toFixed(2),
      number(point.receivedBytes),
      number(point.sentBytes),
      number(point.aofBytes),
      number(point.memoryBytes),
      number(point.runPerSecond),
      ...(onNodes ? [`${Math.round(point.busiestShare * 100)} %`] : []),
    ]),
  );
}

export function scaleMarkdown(report: ScaleReport): string {
  const { rounds, dimensions, failures = [] } = report;
  return [
    '# Results of `npm run bench:scale`',
    `${stampLine(report)} ${rounds} rounds; where no spread is given, one.`,
    'Processor time, traffic and append-only file of one job, from enqueue to ack, and the memory of one that waits. × is the sum of the processor times as a multiple of the first row. What follows from it is in [docs/scale.md](../../docs/scale.md).',
    ...(failures.length > 0 ? [`Failed:\n\n${failures.map((line) => `- ${line}`).join('\n')}`] : []),
    ...dimensions.flatMap((dimension) => [`## ${dimension.title}`, dimensionTable(dimension)]),
  ].join('\n\n');
}
