/** From the readings of all rounds to one row a measure: medians, ratios, and whether the bar is met. */
import { SIDES, type SideName } from '../sides/bench-side';
import type { Bar, Measure } from './bench-measures';
import { type Spread, sameRoundRatios, spread } from './statistics';

/** Processor time a job. */
export interface CpuPerJob {
  redisUs: number;
  clientUs: number;
}
/** What one side of one round gave for one measure. */
export interface Reading {
  measure: string;
  side: SideName;
  round: number;
  value: number;
  cpu?: CpuPerJob;
}

export interface Row {
  name: string;
  title: string;
  unit: string;
  better: 'more' | 'less';
  ours: number | null;
  peers: Record<Exclude<SideName, 'ours'>, number | null>;
  /** Ours as a multiple of BullMQ's, the median of same-round ratios; null where BullMQ was not measured. */
  ratio: number | null;
  bar: number | null;
  barOf: Bar['of'] | null;
  met: boolean | null;
  rounds: number;
  /** The smallest and largest of what the bar is for: same-round ratios, or our values. */
  min: number | null;
  max: number | null;
  /** Each side's values over the rounds. */
  spread: Partial<Record<SideName, Spread>>;
  /** The other sides as multiples of BullMQ, for comparison. */
  ratios: Partial<Record<SideName, number>>;
  cpu: Partial<Record<SideName, CpuPerJob>>;
}

export function judge(measure: Measure, all: readonly Reading[]): Row {
  const readings = all.filter((reading) => reading.measure === measure.name);
  const rounds = Math.max(0, ...readings.map(({ round }) => round));
  const bySide = (side: SideName) => readings.filter((reading) => reading.side === side);
  const inOrder = (side: SideName) =>
    Array.from(
      { length: rounds },
      (_, i) => bySide(side).find(({ round }) => round === i + 1)?.value ?? null,
    );
  const values: Row['spread'] = {};
  const ratios: Row['ratios'] = {};
  const cpu: Row['cpu'] = {};
  let ours: Spread | null = null;
  for (const side of SIDES) {
    const found = spread(bySide(side).map(({ value }) => value));
    if (found) values[side] = found;
    const ratio = spread(sameRoundRatios(inOrder(side), inOrder('bullmq')));
    if (ratio && side !== 'bullmq') ratios[side] = ratio.median;
    if (side === 'ours') ours = ratio;
    const costs = bySide(side).flatMap((reading) => reading.cpu ?? []);
    const redis = spread(costs.map(({ redisUs }) => redisUs));
    const client = spread(costs.map(({ clientUs }) => clientUs));
    if (redis && client) cpu[side] = { redisUs: redis.median, clientUs: client.median };
  }
  const judged = measure.bar?.of === 'ratio' ? ours : (values.ours ?? null);
  return {
    name: measure.name,
    title: measure.title,
    unit: measure.unit,
    better: measure.better,
    ours: values.ours?.median ?? null,
    peers: {
      bullmq: values.bullmq?.median ?? null,
      beeQueue: values.beeQueue?.median ?? null,
      design: values.design?.median ?? null,
      lean: values.lean?.median ?? null,
    },
    ratio: ours?.median ?? null,
    bar: measure.bar?.value ?? null,
    barOf: measure.bar?.of ?? null,
    met: measure.bar && judged ? meets(measure, judged.median) : null,
    rounds: new Set(bySide('ours').map(({ round }) => round)).size,
    min: judged?.min ?? null,
    max: judged?.max ?? null,
    spread: values,
    ratios,
    cpu,
  };
}

function meets({ better, bar }: Measure, value: number): boolean | null {
  if (!bar) return null;
  return better === 'more' ? value >= bar.value : value <= bar.value;
}

/** How far a missed bar is away, as a share of it: 0.1 is a tenth short. Null when it is met, or was not measured. */
export function shortfall(row: Row): number | null {
  if (row.met !== false || row.bar === null) return null;
  const value = row.barOf === 'ratio' ? row.ratio : row.ours;
  return value === null ? null : Math.abs(value - row.bar) / row.bar;
}
