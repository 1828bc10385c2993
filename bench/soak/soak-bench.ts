/** `npm run soak`: a million jobs of every kind through real workers, then the memory that is left. */
import type { Bench } from '../harness/bench-command';
import { stamp } from '../harness/machine';
import { sizesOf, soak } from './run-soak';
import { markdown } from './soak-report';

const JOBS_DEFAULT = 1_000_000;

export const bench: Bench<'jobs'> = {
  help: `npm run soak [-- options]

  --jobs N     how many jobs (default ${JOBS_DEFAULT})
  --quick      20,000 jobs: shows that it works; nothing is written
  --out FILE   writes FILE.json and FILE.md (a whole run: bench/results/soak)`,
  out: 'bench/results/soak',
  numbers: { jobs: { default: JOBS_DEFAULT, quick: 20_000, min: 5_000, max: 100_000_000 } },
  isPartial: ({ numbers }) => numbers.jobs < JOBS_DEFAULT,
  async run({ numbers: { jobs } }, say) {
    const report = { ...stamp(), ...(await soak(sizesOf(jobs), say)) };
    return { report, text: markdown(report), ok: report.findings.length === 0 };
  },
};
