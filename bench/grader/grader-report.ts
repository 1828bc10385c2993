import { metOrMissed, number, tableOf } from '../harness/bench-report';
import { type Stamp, stampLine } from '../harness/machine';
import type { Level } from './load-level';

/** Operations a second while the slowest of a hundred takes less than this. */
export const BAR = { perSecond: 12_000, p99Ms: 5 };

/** Medians over the rounds. */
export interface LevelSummary extends Level {
  perSecondMin: number;
  perSecondMax: number;
}
export interface GraderReport extends Stamp {
  rounds: number;
  bar: typeof BAR;
  /** The level with the most operations a second among those that keep p99 under the bar. */
  best: LevelSummary | null;
  met: boolean;
  levels: LevelSummary[];
}

export function gradeMarkdown(report: GraderReport): string {
  const { rounds, best, met, levels } = report;
  const verdict = best
    ? `**${number(best.perSecond)} operations a second at p99 ${best.p99Ms.toFixed(2)} ms** (${best.loops} loops a client): the bar of ${BAR.perSecond.toLocaleString('en')} a second at p99 under ${BAR.p99Ms} ms is ${metOrMissed(met)}.`
    : 'Nothing was measured.';
  return [
    '# Results of `npm run bench:grader`',
    `${stampLine(report)} ${rounds} rounds.`,
    verdict,
    'Four client processes on one Redis with a backlog of 10,000 jobs of ten priorities. Each loop enqueues one job, claims the first in line and acknowledges it; each of the three is one operation.',
    tableOf(
      'loops a client|operations/s|spread|p50 ms|p99 ms|enqueue p99|claim p99|ack p99|Redis µs'.split('|'),
      levels.map((level) => [
        String(level.loops),
        number(level.perSecond),
        `${number(level.perSecondMin)}–${number(level.perSecondMax)}`,
        ...[
          level.p50Ms,
          level.p99Ms,
          level.p99.enqueue,
          level.p99.claim,
          level.p99.ack,
          level.redisUsPerOperation,
        ].map((value) => value.toFixed(2)),
      ]),
    ),
  ].join('\n\n');
}
