/** Rounds, interleaved: A B C D A B C D …, so that a machine that slows down slows all sides down. */
import type { Cell, Found, Sizes } from '../cells/bench-cell';
import type { SideName } from '../sides/bench-side';
import { onStage } from './bench-stage';
import type { Reading } from './bench-verdict';
import type { Profiler } from './cpu-profile';

export interface RoundsOptions {
  readonly rounds: number;
  readonly sizes: Sizes;
  readonly file: string;
  /** Looks into our side alone. */
  readonly profiler: Profiler | null;
  say(line: string): void;
}
export interface Outcome {
  readings: Reading[];
  /** Sides that failed, as sentences. What they did not measure is missing from the readings. */
  failures: string[];
}

export async function runCell(cell: Cell, options: RoundsOptions): Promise<Outcome> {
  const { sizes, file, profiler, say } = options;
  const sides = profiler === null ? cell.sides : cell.sides.filter((side) => side === 'ours');
  const rounds = Math.min(options.rounds, cell.roundsMax ?? options.rounds);
  const outcome: Outcome = { readings: [], failures: [] };

  async function measure(side: SideName, round: number): Promise<void> {
    const label = `${cell.name}, round ${round}, ${side}`;
    try {
      const found = await onStage({ side, file, profiler }, (stage) => cell.run(stage, sizes));
      for (const reading of found) outcome.readings.push({ ...reading, side, round: reading.round ?? round });
      say(`${label}: ${found.map(inShort).join(', ')}`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      outcome.failures.push(`${label}: ${reason.split('\n')[0]}`);
      say(`${label} FAILED: ${reason}`);
    }
  }

  for (let round = 1; round <= rounds; round++) {
    if (cell.together) await Promise.all(sides.map((side) => measure(side, round)));
    else for (const side of sides) await measure(side, round);
  }
  return outcome;
}

const inShort = ({ measure, value, cpu }: Found): string => {
  const cost = cpu ? ` (${cpu.redisUs.toFixed(1)} + ${cpu.clientUs.toFixed(1)} µs)` : '';
  return `${measure} ${value >= 1_000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)}${cost}`;
};
