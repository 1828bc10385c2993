/** `npm run bench`: Redrive beside BullMQ, bee-queue and the leanest thing possible, on this machine, now. */
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
import { HELP, parseOptions } from './harness/options';
import { createProfiler } from './harness/profile';
import { amongOthers, markdown, type Report, writeReport } from './harness/report';
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
    const outcome = await runCell(cell, {
      rounds: options.rounds,
      sizes: options.quick ? QUICK : FULL,
      file,
      profiler: options.profile ? createProfiler(PROFILES, `${file}.map`, (text) => console.log(text)) : null,
      say: (line) => console.log(line),
    });
    readings.push(...outcome.readings);
    failures.push(...outcome.failures);
  }
  if (options.profile) {
    console.log(`\nWhole profiles, for any browser's developer tools: ${PROFILES}`);
    return failures.length === 0 ? 0 : 1;
  }

  const judged = measures.map((measure) => judge(measure, readings));
  const rows = options.out !== null && options.only.length > 0 ? amongOthers(options.out, judged) : judged;
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
