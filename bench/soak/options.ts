/** What can be asked on the command line. */
import { parseArgs } from 'node:util';

export interface SoakOptions {
  readonly jobs: number;
  /** Where the results go, without the ending; null: they are only printed. */
  readonly out: string | null;
}

const JOBS_DEFAULT = 1_000_000;
const JOBS_MIN = 5_000;
const JOBS_MAX = 100_000_000;

export const HELP = `npm run soak [-- options]

  --jobs N     how many jobs (default ${JOBS_DEFAULT})
  --out FILE   writes FILE.json and FILE.md (a whole run: bench/results/soak)`;

/** @throws Error with a sentence for whoever typed it */
export function parseOptions(argv: readonly string[]): SoakOptions | 'help' {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      jobs: { type: 'string' },
      out: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const jobs = Number(values.jobs ?? JOBS_DEFAULT);
  if (!Number.isInteger(jobs) || jobs < JOBS_MIN || jobs > JOBS_MAX)
    throw new Error(`--jobs takes a whole number from ${JOBS_MIN} to ${JOBS_MAX}, not ${values.jobs}.`);
  return { jobs, out: values.out ?? (jobs >= JOBS_DEFAULT ? 'bench/results/soak' : null) };
}
