/** `npm run bench`: Redrive beside BullMQ, bee-queue and the leanest thing possible, on this machine, now. */
import { join } from 'node:path';
import { bulk } from './cells/batch-cell';
import { type Cell, FULL, QUICK } from './cells/bench-cell';
import { life } from './cells/job-life-cell';
import { pickup } from './cells/pickup-cell';
import { recovery } from './cells/recovery-cell';
import { crowd } from './cells/tenant-fairness-cell';
import { runs } from './cells/throughput-cell';
import type { Bench } from './harness/bench-command';
import { MEASURES } from './harness/bench-measures';
import { markdown, mergeRows, type Report } from './harness/bench-report';
import { runCell } from './harness/bench-rounds';
import { judge, type Reading } from './harness/bench-verdict';
import { bundle } from './harness/bundle';
import { createProfiler } from './harness/cpu-profile';
import { stamp } from './harness/machine';

const CELLS: readonly Cell[] = [life, bulk, ...runs, pickup, crowd, recovery];
const PROFILES = join(import.meta.dirname, 'results/profiles');
const NAMES = MEASURES.map(({ name }) => name).join(', ');

export const bench: Bench<'rounds'> = {
  help: `npm run bench [-- options]

  --rounds N     rounds of every measure (default 5; with --profile 1)
  --only NAME    only this measure; several with commas, or given again
  --quick        few jobs: shows that everything works, not how fast it is
  --profile      Redrive alone: processor time of our process and of Redis
  --out FILE     writes FILE.json and FILE.md (default bench/results/broker, except with --quick and --profile; with --only the other rows there stay)

Measures: ${NAMES}.`,
  out: 'bench/results/broker',
  numbers: { rounds: { default: 5, max: 100 } },
  texts: ['only'],
  flags: ['profile'],
  isPartial: ({ flags }) => flags.has('profile'),
  async run({ numbers, texts, flags, quick, out }, say) {
    const only = namesIn(texts.only ?? []);
    const profile = flags.has('profile');
    const measures = MEASURES.filter(({ name }) => only.length === 0 || only.includes(name));
    const cells = CELLS.filter(({ name }) => measures.some(({ cell }) => cell === name));
    const file = await bundle('sides/side-process.ts');
    const profiler = profile ? createProfiler(PROFILES, `${file}.map`, say) : null;
    const readings: Reading[] = [];
    const failures: string[] = [];
    for (const cell of cells) {
      const outcome = await runCell(cell, {
        rounds: profile && texts.rounds === undefined ? 1 : numbers.rounds,
        sizes: quick ? QUICK : FULL,
        file,
        profiler,
        say,
      });
      readings.push(...outcome.readings);
      failures.push(...outcome.failures);
    }
    if (profile) {
      say(`\nWhole profiles, for any browser's developer tools: ${PROFILES}`);
      if (failures.length > 0) throw new Error(failures.join('\n'));
      return null;
    }
    const judged = measures.map((measure) => judge(measure, readings));
    const rows = out !== null && only.length > 0 ? mergeRows(out, judged) : judged;
    const report: Report = { ...stamp(), measures: rows, ...(failures.length > 0 && { failures }) };
    return { report, text: markdown(report), ok: failures.length === 0 };
  },
};

/** @throws Error that names an unknown measure, and all known ones */
export function namesIn(given: readonly string[]): string[] {
  const names = given.flatMap((text) => text.split(',')).filter((name) => name !== '');
  const unknown = names.find((name) => MEASURES.every((measure) => measure.name !== name));
  if (unknown !== undefined) throw new Error(`There is no measure ${unknown}. There are: ${NAMES}.`);
  return names;
}
