import type { Machine } from '../harness/machine';
import { number, tableOf } from '../harness/report';
import type { Level } from './level';

/** Operations a second while the slowest of a hundred takes less than this. */
export const BAR = { perSecond: 8_000, p99Ms: 5 };

/** Medians over the rounds. */
export interface LevelSummary extends Level {
  perSecondMin: number;
  perSecondMax: number;
}
export interface GraderReport {
  machine: Machine;
  versions: Record<string, string>;
  at: string;
  rounds: number;
  bar: typeof BAR;
  /** The level with the most operations a second among those that keep p99 under the bar. */
  best: LevelSummary | null;
  met: boolean;
  levels: LevelSummary[];
}

export function gradeMarkdown({ machine, versions, at, rounds, best, met, levels }: GraderReport): string {
  const verdict = best
    ? `**${number(best.perSecond)} operations a second at p99 ${best.p99Ms.toFixed(2)} ms** (${best.loops} loops a client): the bar of ${BAR.perSecond.toLocaleString('en')} a second at p99 under ${BAR.p99Ms} ms is ${met ? 'met' : '**missed**'}.`
    : 'Nothing was measured.';
  return [
    '# Results of `npm run bench:grader`',
    `${at.slice(0, 16).replace('T', ' ')} UTC, ${rounds} rounds. ${machine.cores} cores of ${machine.processor}, ${machine.memoryGiB} GiB, ${machine.system}. redrive ${versions.redrive}, redis ${versions.redis}, node ${versions.node}.`,
    verdict,
    'Four client processes on one Redis with a backlog of 10,000 jobs of ten priorities. Each loop enqueues one job, claims the first in line and acknowledges it; each of the three is one operation.',
    tableOf(
      [
        'loops a client',
        'operations/s',
        'spread',
        'p50 ms',
        'p99 ms',
        'enqueue p99',
        'claim p99',
        'ack p99',
        'Redis µs',
      ],
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
