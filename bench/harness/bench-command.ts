/** The command line of every bench: options, help, the report and where it is written, the exit code. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { writeReport } from './bench-report';

/** A whole number that can be given as `--name`. */
interface WholeNumber {
  readonly default: number;
  /** With `--quick`. Default: the same. */
  readonly quick?: number;
  readonly min?: number;
  readonly max: number;
}

export interface Asked<N extends string = string> {
  readonly numbers: Readonly<Record<N, number>>;
  /** Options with a value, as given. */
  readonly texts: Readonly<Record<string, readonly string[]>>;
  readonly flags: ReadonlySet<string>;
  readonly quick: boolean;
  /** Where the results go, without the ending; null: they are only printed. */
  readonly out: string | null;
}

export interface BenchResult {
  readonly report: object;
  /** The report as Markdown. */
  readonly text: string;
  /** False: a bar or a check failed, and the command ends with 1. */
  readonly ok: boolean;
}

export interface Bench<N extends string = string> {
  readonly help: string;
  /** Where the results of a whole run go, without the ending. */
  readonly out: string;
  readonly numbers: Readonly<Record<N, WholeNumber>>;
  readonly texts?: readonly string[];
  readonly flags?: readonly string[];
  /** Besides `--quick`: what is too little to be a result. It is printed, and not written. */
  isPartial?(asked: Asked<N>): boolean;
  /** Null: there is nothing to report. */
  run(asked: Asked<N>, say: (line: string) => void): Promise<BenchResult | null>;
}

/** @throws Error with a sentence for the person at the terminal */
export function readOptions<N extends string>(bench: Bench<N>, argv: readonly string[]): Asked<N> | 'help' {
  const names = Object.keys(bench.numbers) as N[];
  const text = (name: string) => [name, { type: 'string', multiple: true }] as const;
  const flag = (name: string) => [name, { type: 'boolean' }] as const;
  const options: ParseArgsConfig['options'] = Object.fromEntries([
    ...[...names, ...(bench.texts ?? []), 'out'].map(text),
    ...[...(bench.flags ?? []), 'quick', 'help'].map(flag),
  ]);
  const given = Object.entries(parseArgs({ args: [...argv], options }).values);
  const texts = Object.fromEntries(
    given.flatMap(([name, value]) => (Array.isArray(value) ? [[name, value.map(String)]] : [])),
  );
  const flags = new Set(given.flatMap(([name, value]) => (value === true ? [name] : [])));
  if (flags.has('help')) return 'help';
  const quick = flags.has('quick');
  const numbers = Object.fromEntries(
    names.map((name) => {
      const whole = bench.numbers[name];
      const usual = quick ? (whole.quick ?? whole.default) : whole.default;
      return [name, wholeNumber(`--${name}`, texts[name]?.at(-1) ?? String(usual), whole)];
    }),
  ) as Record<N, number>;
  const asked = { numbers, texts, flags, quick, out: texts.out?.at(-1) ?? null };
  if (quick || asked.out !== null || bench.isPartial?.(asked)) return asked;
  return { ...asked, out: bench.out };
}

/** @throws Error that names the option and what it takes */
export function wholeNumber(
  option: string,
  text: string,
  { min = 1, max }: Omit<WholeNumber, 'default'>,
): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < min || value > max)
    throw new Error(`${option} takes a whole number from ${min} to ${max}, not ${text}.`);
  return value;
}

/** @returns the exit code */
export async function runBench(bench: Bench, argv: readonly string[]): Promise<number> {
  const asked = readOptions(bench, argv);
  if (asked === 'help') {
    console.log(bench.help);
    return 0;
  }
  const result = await bench.run(asked, (line) => console.log(line));
  if (result === null) return 0;
  console.log(`\n${result.text}`);
  if (asked.out !== null) {
    writeReport(asked.out, result.report, result.text);
    console.log(`\nWritten to ${asked.out}.json and ${asked.out}.md.`);
  }
  return result.ok ? 0 : 1;
}
