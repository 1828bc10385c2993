/** The charts of the history and their lines; pure. Dashes distinguish lines without color. */
import { LONGEST_MS, type MarkKind } from '@/lib/contract/history/history-ranges';
import type {
  History,
  HistoryColumn,
  HistoryMark,
  LatestMinute,
} from '@/lib/contract/history/history-schemas';
import { axisDuration, duration } from '@/lib/format/duration';
import { compactNumber, fullNumber } from '@/lib/format/number';
import { durationTicks } from './time-axis';

type Columns = Pick<History, 'depth' | 'oldestAgeMs' | 'counts' | 'run' | 'wait' | 'workers' | 'claimed'>;
export interface Series {
  readonly label: string;
  readonly color: string;
  readonly dash?: string;
  column(columns: Columns): HistoryColumn;
}
export interface ChartSpec {
  readonly id: string;
  readonly title: string;
  /** Counts are shown a minute, so that they do not grow with the step. */
  readonly perMinute?: boolean;
  readonly series: readonly Series[];
  format(value: number): string;
  axis(value: number): string;
  /** Where not every number is a round one. */
  ticks?(max: number): number[];
}

const MINUTE_MS = 60_000;
const number = { format: (value: number) => fullNumber(Math.round(value)), axis: compactNumber };
const ms = { format: duration, axis: axisDuration, ticks: durationTicks };
const line = (label: string, color: string, column: Series['column'], dash?: string): Series => ({
  label,
  color: `var(--${color})`,
  column,
  ...(dash ? { dash } : {}),
});
const percentiles = (kind: 'run' | 'wait'): Series[] => [
  line('p50', 'state-ready', (history) => history[kind].p50),
  line('p95', 'state-retry', (history) => history[kind].p95, '5 3'),
  line('p99', 'state-dead', (history) => history[kind].p99, '2 2'),
];

const RUNS: ChartSpec = {
  id: 'outcomes',
  title: 'Failures a minute',
  perMinute: true,
  ...number,
  series: [
    line('Failed runs', 'state-retry', ({ counts }) => counts.failed),
    line('Lost runs', 'state-held', ({ counts }) => counts.lost, '5 3'),
    line('Died', 'state-dead', ({ counts }) => counts.died, '2 2'),
  ],
};

export const CHARTS: readonly ChartSpec[] = [
  {
    id: 'depth',
    title: 'Depth',
    ...number,
    series: [
      line('Ready', 'state-ready', ({ depth }) => depth.ready),
      line('In flight', 'state-in-flight', ({ depth }) => depth.inFlight, '5 3'),
      line('Due later', 'state-scheduled', ({ depth }) => sumOf(depth.scheduled, depth.retry), '2 2'),
      line('Held', 'state-held', ({ depth }) => depth.held, '8 3'),
      line('Dead', 'state-dead', ({ depth }) => depth.dead, '1 3'),
    ],
  },
  {
    id: 'age',
    title: 'Oldest ready job',
    ...ms,
    series: [line('Age', 'state-ready', ({ oldestAgeMs }) => oldestAgeMs)],
  },
  {
    id: 'throughput',
    title: 'Jobs a minute',
    perMinute: true,
    ...number,
    series: [
      line('Enqueued', 'state-ready', ({ counts }) => counts.arrivals, '5 3'),
      line('Completed', 'state-completed', ({ counts }) => counts.completed),
    ],
  },
  RUNS,
  { id: 'run', title: 'Run time', ...ms, series: percentiles('run') },
  {
    id: 'wait',
    title: `Wait before a claim, up to ${duration(LONGEST_MS)}`,
    ...ms,
    format: (value) => (value >= LONGEST_MS ? `${duration(LONGEST_MS)} or more` : duration(value)),
    series: percentiles('wait'),
  },
];

/** Of one type or tenant: the numbers that its history has. */
export const SHARE_CHARTS: readonly ChartSpec[] = [
  {
    id: 'throughput',
    title: 'Claimed a minute',
    perMinute: true,
    ...number,
    series: [line('Claimed', 'state-in-flight', ({ claimed }) => claimed)],
  },
  { ...RUNS, series: RUNS.series.filter(({ label }) => label !== 'Lost runs') },
];

const WORKERS: ChartSpec = {
  id: 'workers',
  title: 'Live workers',
  ...number,
  series: [line('Workers', 'state-completed', ({ workers }) => workers)],
};

/** Of one queue, with all its types and tenants. */
export const QUEUE_CHARTS: readonly ChartSpec[] = [...CHARTS, WORKERS];

export const WORKER_CHARTS: readonly ChartSpec[] = [
  WORKERS,
  { ...RUNS, title: 'Failed and lost runs a minute' },
];

function sumOf(one: HistoryColumn, other: HistoryColumn): HistoryColumn {
  return one.map((value, i) => (value === null ? null : value + (other[i] ?? 0)));
}

/** A point of a chart: when its step starts, or the moment of the latest one (ms since 1970), and a value for each line. */
export type Point = { readonly at: number } & Readonly<Record<string, number | null>>;

export function pointsOf(history: History, { series, perMinute }: ChartSpec): Point[] {
  const divisor = perMinute ? history.stepMs / MINUTE_MS : 1;
  const columns = series.map((one) => one.column(history));
  const length = Math.max(0, Math.round((history.to - history.from) / history.stepMs));
  const points = Array.from({ length }, (_, i) => {
    const values = columns.map((column, at) => [String(at), scaled(column[i], divisor)]);
    return { at: history.from + i * history.stepMs, ...Object.fromEntries(values) } as Point;
  });
  const { latest } = history;
  if (!latest) return points;
  // Its counts are of one minute.
  const values = series.map((one, at) => [String(at), one.column(columnsOf(latest))[0] ?? null]);
  return [...points, { at: latest.at, ...Object.fromEntries(values) } as Point];
}

/** Where the chart ends: ms since 1970. */
export const lastAt = ({ to, stepMs, latest }: History): number => latest?.at ?? to - stepMs;

/** The latest minute as the only step of a history. */
function columnsOf({ depth, oldestAgeMs, counts, workers }: LatestMinute): Columns {
  const each = <K extends string>(record: Readonly<Record<K, number>>) =>
    Object.fromEntries(Object.entries<number>(record).map(([name, value]) => [name, [value]])) as Record<
      K,
      HistoryColumn
    >;
  const none = { p50: [null], p95: [null], p99: [null] };
  return {
    depth: each(depth),
    oldestAgeMs: [oldestAgeMs],
    counts: each(counts),
    run: none,
    wait: none,
    workers: [workers],
    claimed: [null],
  };
}

const scaled = (value: number | null | undefined, divisor: number): number | null =>
  value === null || value === undefined ? null : value / divisor;

/** Marks of the point at `at`: of its step, or since the last step. @param from the first of several steps, when that is the last one */
export const marksAt = (history: History, at: number, from = Math.min(at, history.to)): HistoryMark[] =>
  history.marks.filter((mark) => mark.at >= from && mark.at < at + history.stepMs);

/** Lines over one chart. More would overprint each other's signs, and each costs the page some 25 elements of memory. */
const MARK_LINES_MAX = 24;
/** A line has room for two signs, and the color of the first: what users did, which the lines do not tell, before what happened. */
const MARKS_BY_WEIGHT: readonly MarkKind[] = ['deploy', 'pause', 'operation', 'crash', 'alert', 'settings'];

export interface MarkLine {
  /** The start of the step of its first mark: ms since 1970. */
  readonly at: number;
  /** Each once, the weightiest first. */
  readonly kinds: readonly MarkKind[];
}

/** Where marks stand over a chart: those that are close together share a line. */
export function markLines({ marks, from, to, stepMs }: History): MarkLine[] {
  const steps = Math.max(1, Math.ceil((to - from) / stepMs / MARK_LINES_MAX));
  const lines = new Map<number, HistoryMark[]>();
  for (const mark of marks) {
    const line = Math.floor((mark.at - from) / (steps * stepMs));
    lines.set(line, [...(lines.get(line) ?? []), mark]);
  }
  return [...lines.values()].map((near) => {
    const first = Math.min(...near.map(({ at }) => at));
    return {
      // Of the minute under way there is no step yet.
      at: first >= to ? first : from + Math.floor((first - from) / stepMs) * stepMs,
      kinds: MARKS_BY_WEIGHT.filter((kind) => near.some((mark) => mark.kind === kind)),
    };
  });
}
