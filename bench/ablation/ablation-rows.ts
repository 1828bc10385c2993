/** From the readings of all rounds to one row a step: medians, and the differences from the step before. */
import type { CpuPerJob } from '../harness/bench-verdict';
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

const PHASES = ['run', 'enqueue'] as const;
export type Phase = (typeof PHASES)[number];

export type AblationReading = { title: string; round: number } & Record<Phase, CpuPerJob>;

/** What a job takes, and what it takes more than in the line it is compared with; in µs. */
interface Cost {
  us: number;
  /** Of differences within a round: a slow round slows both. */
  more: Spread | null;
}
export interface AblationRow extends Pick<AblationVariant, 'title' | 'kind' | 'before'> {
  costs: Record<Phase, Record<keyof CpuPerJob, Cost>>;
}

export interface AblationReport extends Stamp {
  rounds: number;
  concurrency: number;
  jobs: number;
  rows: AblationRow[];
}

/** As the results are stored, so that tables made of them say the same. */
const rounded = (us: number): number => Number(us.toPrecision(4));

export function rowsOf(
  variants: readonly AblationVariant[],
  readings: readonly AblationReading[],
): AblationRow[] {
  const valuesOf = (title: string | null, phase: Phase, part: keyof CpuPerJob) =>
    new Map(
      readings
        .filter((reading) => reading.title === title)
        .map((reading) => [reading.round, reading[phase][part]]),
    );
  const cost = (title: string, before: string | null, phase: Phase, part: keyof CpuPerJob): Cost => {
    const values = valuesOf(title, phase, part);
    const others = valuesOf(before, phase, part);
    const more = [...values].flatMap(([round, us]) => {
      const other = others.get(round);
      return other === undefined ? [] : [rounded(us - other)];
    });
    return { us: rounded(median([...values.values()])), more: spread(more) };
  };
  return variants.map(({ title, kind, before }) => {
    const ofPhase = (phase: Phase) => ({
      clientUs: cost(title, before, phase, 'clientUs'),
      redisUs: cost(title, before, phase, 'redisUs'),
    });
    return { title, kind, before, costs: { run: ofPhase('run'), enqueue: ofPhase('enqueue') } };
  });
}
