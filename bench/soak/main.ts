/** `npm run soak`. */
import { machine } from '../harness/machine';
import { writeReport } from '../harness/report';
import { HELP, parseOptions } from './options';
import { markdown } from './report';
import { sizesOf, soak } from './soak';

export async function main(argv: string[]): Promise<number> {
  const options = parseOptions(argv);
  if (options === 'help') {
    console.log(HELP);
    return 0;
  }
  const report = await soak(sizesOf(options.jobs), (line) => console.log(line));
  const at = new Date().toISOString();
  const text = markdown(report, machine(), at);
  console.log(`\n${text}`);
  if (options.out !== null) {
    writeReport(options.out, { machine: machine(), at, ...report }, text);
    console.log(`\nWritten to ${options.out}.json and ${options.out}.md.`);
  }
  return report.findings.length === 0 ? 0 : 1;
}
