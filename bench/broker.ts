/** `npm run bench`: Redrive beside BullMQ, bee-queue and the leanest thing possible, on this machine, now. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bulk } from './cells/bulk';
import { type Cell, FULL, QUICK } from './cells/cell';
import { crowd } from './cells/crowd';
import { life } from './cells/life';
import { pickup } from './cells/pickup';
import { recovery } from './cells/recovery';
import { runs } from './cells/run';
import { bundle } from './harness/build';
import { judge, type Reading } from './harness/judge';
import { machine, versions } from './harness/machine';
import { MEASURES } from './harness/measures';
import { type BenchOptions, HELP, parseOptions } from './harness/options';
import { commandStats, ownTimes } from './harness/profile';
import { markdown, type Report, writeReport } from './harness/report';
import { runCell } from './harness/rounds';

const CELLS: readonly Cell[] = [life, bulk, ...runs, pickup, crowd, recovery];
const PROFILES = join(import.meta.dirname, 'results/profiles');

export async function main(argv: string[]): Promise<number> {
  const options = parseOptions(argv);
  if (options === 'help') {
    console.log(HELP);
    return 0;
  }
  const measures = MEASURES.filter(({ name }) => options.only.length === 0 || options.only.includes(name));
  const cells = CELLS.filter(({ name }) => measures.some(({ cell }) => cell === name));
  const file = await bundle('sides/main.ts');
  const readings: Reading[] = [];
  const failures: string[] = [];
  for (const cell of cells) {
    const outcome = options.profile
      ? await profiled(cell, file, options)
      : await runCell(cell, { ...common(options, file), profileDir: null });
    readings.push(...outcome.readings);
    failures.push(...outcome.failures);
  }
  if (options.profile) return failures.length === 0 ? 0 : 1;

  const rows = measures.map((measure) => judge(measure, readings));
  const at = new Date().toISOString();
  const report: Report = { machine: machine(), versions: versions(), at, measures: rows };
  if (failures.length > 0) report.failures = failures;
  const text = markdown(report);
  console.log(`\n${text}`);
  if (options.out !== null) {
    writeReport(options.out, report, text);
    console.log(`Written to ${options.out}.json and ${options.out}.md.`);
  }
  return failures.length === 0 ? 0 : 1;
}

const common = ({ rounds, quick }: BenchOptions, file: string) => ({
  rounds,
  file,
  sizes: quick ? QUICK : FULL,
  say: (line: string) => console.log(line),
});

async function profiled(cell: Cell, file: string, options: BenchOptions) {
  const profileDir = join(PROFILES, cell.name);
  rmSync(profileDir, { recursive: true, force: true });
  mkdirSync(profileDir, { recursive: true });
  console.log(`\n━━ ${cell.name} ━━`);
  const stats: string[] = [];
  const outcome = await runCell(cell, {
    ...common(options, file),
    profileDir,
    onMeasured: async (_cell, stage) => {
      stats.push(...(await commandStats(stage.server.redis)));
    },
  });
  console.log('\nIn Redis:');
  for (const line of stats) console.log(`  ${line}`);
  console.log(`\nIn our processes, own time (whole profiles: ${profileDir}):`);
  for (const line of ownTimes(profileDir)) console.log(`  ${line}`);
  return outcome;
}
