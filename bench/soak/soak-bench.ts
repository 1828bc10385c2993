/** `npm run soak`: a million jobs of every kind through real workers, then a console that watches; the memory of both. */
import type { Bench } from '../harness/bench-command';
import { stamp } from '../harness/machine';
import { sizesOf, soak } from './run-soak';
import { markdown } from './soak-report';

const JOBS_DEFAULT = 1_000_000;
const MINUTES_DEFAULT = 30;

export const bench: Bench<'jobs' | 'minutes'> = {
  help: `npm run soak [-- options]

  --jobs N     how many jobs (default ${JOBS_DEFAULT})
  --minutes N  how long the console and its pages are watched after that (default ${MINUTES_DEFAULT}; 0: not at all)
  --quick      20,000 jobs and 1 minute: shows that it works; nothing is written
  --out FILE   writes FILE.json and FILE.md (a whole run: bench/results/soak)`,
  out: 'bench/results/soak',
  numbers: {
    jobs: { default: JOBS_DEFAULT, quick: 20_000, min: 5_000, max: 100_000_000 },
    minutes: { default: MINUTES_DEFAULT, quick: 1, min: 0, max: 10_000 },
  },
  isPartial: ({ numbers }) => numbers.jobs < JOBS_DEFAULT || numbers.minutes < MINUTES_DEFAULT,
  async run({ numbers: { jobs, minutes } }, say) {
    const soaked = await soak(sizesOf(jobs), say);
    // With the browser's driver, which the other benches and tests of this file do without.
    const watched =
      minutes === 0 ? null : await import('./watch-console').then((file) => file.watchConsole(minutes, say));
    const findings = [...soaked.findings, ...(watched?.findings ?? [])];
    const report = { ...stamp(), ...soaked, watched, findings };
    return { report, text: markdown(report), ok: findings.length === 0 };
  },
};
