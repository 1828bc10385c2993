/** `npm run bench:grader`: operations a second on prioritised jobs from four processes, and how long the slowest took. */
import { type Bench, wholeNumber } from '../harness/bench-command';
import { bundle } from '../harness/bundle';
import { stamp } from '../harness/machine';
import { median } from '../harness/statistics';
import { BAR, type GraderReport, gradeMarkdown, type LevelSummary } from './grader-report';
import { type Level, measureLevel } from './load-level';

export const bench: Bench<'rounds'> = {
  help: `npm run bench:grader [-- options]

  --rounds N     rounds of every level of load (default 3)
  --loops LIST   loops in each of the four clients (default 1,2,4,8,16)
  --quick        short: shows that it works, not how fast it is; nothing is written
  --out FILE     writes FILE.json and FILE.md (default bench/results/grader)`,
  out: 'bench/results/grader',
  numbers: { rounds: { default: 3, quick: 1, max: 500 } },
  texts: ['loops'],
  async run({ numbers: { rounds }, texts, quick }, say) {
    const loopsList = texts.loops?.at(-1) ?? '1,2,4,8,16';
    const levels = loopsList.split(',').map((text) => wholeNumber('--loops', text, { max: 500 }));
    const file = await bundle('grader/grader-client.ts');
    const forMs = quick ? 1_000 : 5_000;
    const backlog = quick ? 1_000 : 10_000;
    const measured: Level[] = [];
    for (let round = 1; round <= rounds; round++)
      for (const loops of levels) {
        const level = await measureLevel({ file, loops, forMs, backlog });
        measured.push(level);
        const { perSecond, p50Ms, p99Ms } = level;
        say(
          `round ${round}, ${loops} loops a client: ${Math.round(perSecond)} operations/s, p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`,
        );
      }
    const report = gradeOf(levels, rounds, measured);
    return { report, text: gradeMarkdown(report), ok: true };
  },
};

function gradeOf(levels: readonly number[], rounds: number, measured: readonly Level[]): GraderReport {
  const summaries: LevelSummary[] = levels.map((loops) => {
    const same = measured.filter((level) => level.loops === loops);
    const middle = (read: (level: Level) => number) => median(same.map(read));
    return {
      loops,
      perSecond: middle(({ perSecond }) => perSecond),
      perSecondMin: Math.min(...same.map(({ perSecond }) => perSecond)),
      perSecondMax: Math.max(...same.map(({ perSecond }) => perSecond)),
      p50Ms: middle(({ p50Ms }) => p50Ms),
      p99Ms: middle(({ p99Ms }) => p99Ms),
      p99: {
        enqueue: middle(({ p99 }) => p99.enqueue),
        claim: middle(({ p99 }) => p99.claim),
        ack: middle(({ p99 }) => p99.ack),
      },
      redisUsPerOperation: middle(({ redisUsPerOperation }) => redisUsPerOperation),
    };
  });
  // The fastest level that keeps the bar for p99; when none does, the fastest.
  const keeping = summaries.filter(({ p99Ms }) => p99Ms < BAR.p99Ms);
  const best =
    [...(keeping.length ? keeping : summaries)].sort((a, b) => b.perSecond - a.perSecond)[0] ?? null;
  return {
    ...stamp(),
    rounds,
    bar: BAR,
    best,
    met: best !== null && best.p99Ms < BAR.p99Ms && best.perSecond >= BAR.perSecond,
    levels: summaries,
  };
}
