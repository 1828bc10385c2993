/** From the readings of all rounds to one row a step: medians, and the differences from the step before. */
import type { Stamp } from '../harness/machine';
import { median, type Spread, spread } from '../harness/statistics';
import type { SideName } from '../sides/bench-side';
import type { PieceChoice } from './pieces';

/** One line of the tables: a piece that is added, one that is put to use, or the product. */
export interface AblationVariant extends Partial<PieceChoice> {
  readonly title: string;
  readonly kind: 'added' | 'used' | 'product';
  readonly side: SideName;
  /** The line it is compared with. */
  readonly before: string | null;
}

/** What a job takes: µs of processor time, and bytes in the append-only file from enqueue to ack. */
export const FIGURES = [
  'runClientUs',
  'runRedisUs',
  'enqueueClientUs',
  'enqueueRedisUs',
  'logBytes',
] as const;
export type Figure = (typeof FIGURES)[number];
export type Figures = Record<Figure, number>;

export interface AblationReading {
  readonly title: string;
  readonly round: number;
  readonly figures: Figures;
}

interface Cost {
  median: number;
  /** How much more than in the line it is compared with. Of differences within a round: a slow round slows both. */
  more: Spread | null;
}
export interface AblationRow extends Pick<AblationVariant, 'title' | 'kind' | 'before'> {
  costs: Record<Figure, Cost>;
}

export interface AblationReport extends Stamp {
  rounds: number;
  concurrency: number;
  jobs: number;
  rows: AblationRow[];
}

/** As the results are stored, so that tables made of them say the same. */
const rounded = (value: number): number => Number(value.toPrecision(4));

export function rowsOf(
  variants: readonly AblationVariant[],
  readings: readonly AblationReading[],
): AblationRow[] {
  const costOf = (title: string, before: string | null, figure: Figure): Cost => {
    const own = readings.filter((reading) => reading.title === title);
    const more = own.flatMap(({ round, figures }) => {
      const other = readings.find((reading) => reading.title === before && reading.round === round);
      return other ? [figures[figure] - other.figures[figure]] : [];
    });
    const all = spread(more);
    return {
      median: rounded(median(own.map(({ figures }) => figures[figure]))),
      more: all && { median: rounded(all.median), min: rounded(all.min), max: rounded(all.max) },
    };
  };
  return variants.map(({ title, kind, before }) => {
    const costs = Object.fromEntries(FIGURES.map((figure) => [figure, costOf(title, before, figure)]));
    return { title, kind, before, costs: costs as Record<Figure, Cost> };
  });
}
