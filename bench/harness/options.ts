/** What can be asked on the command line. */
import { parseArgs } from 'node:util';
import { MEASURES } from './measures';

export interface BenchOptions {
  readonly rounds: number;
  /** Names of measures; empty: all of them. */
  readonly only: readonly string[];
  readonly quick: boolean;
  readonly profile: boolean;
  /** Where the results go, without the ending; null: they are only printed. */
  readonly out: string | null;
}

const ROUNDS_DEFAULT = 5;
const ROUNDS_MAX = 100;

export const HELP = `npm run bench [-- options]

  --rounds N     rounds of every measure (default ${ROUNDS_DEFAULT})
  --only NAME    only this measure; several with commas, or given again
  --quick        few jobs: shows that all of it works, not how fast it is
  --profile      ours alone: where processor time goes, in our process and in Redis
  --out FILE     writes FILE.json and FILE.md (default bench/results/broker, but for --quick and --profile; with --only the other rows there stay)

Measures: ${MEASURES.map(({ name }) => name).join(', ')}.`;

/** @throws Error with a sentence for whoever typed it */
export function parseOptions(argv: readonly string[]): BenchOptions | 'help' {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      rounds: { type: 'string' },
      only: { type: 'string', multiple: true },
      quick: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      out: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const rounds = Number(values.rounds ?? (values.profile ? 1 : ROUNDS_DEFAULT));
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > ROUNDS_MAX)
    throw new Error(`--rounds takes a whole number from 1 to ${ROUNDS_MAX}, not ${values.rounds}.`);
  const only = (values.only ?? []).flatMap((names) => names.split(',')).filter((name) => name !== '');
  const unknown = only.find((name) => MEASURES.every((measure) => measure.name !== name));
  if (unknown !== undefined)
    throw new Error(
      `There is no measure ${unknown}. There are: ${MEASURES.map(({ name }) => name).join(', ')}.`,
    );
  // What is measured in full is a result, however little of it; the others keep theirs.
  const full = !values.quick && !values.profile;
  const out = values.out ?? (full ? 'bench/results/broker' : null);
  return { rounds, only, quick: values.quick, profile: values.profile, out };
}
