/** `npm run bench:dead`: searching, counting and moving a million dead letters. */
import { parseArgs } from 'node:util';
import { createBroker } from '@/lib/broker';
import { SCRIPTS } from '@/lib/broker/lua.generated';
import { judge, type Reading } from '../harness/judge';
import { machine, versions } from '../harness/machine';
import { writeReport } from '../harness/report';
import { startServer } from '../harness/server';
import { type Found, facets, pages, purge, redrive, redriveRest, type Stage, text } from './cells';
import { DEAD_MEASURES } from './measures';
import { deadMarkdown } from './report';
import { lookAtScripts, watchScripts } from './scripts';
import { seed } from './seed';

const HELP = `npm run bench:dead [-- options]

  --jobs N       dead letters, a multiple of 20,000 (default 1000000)
  --rounds N     rounds of what can be repeated (default 3, at most 5)
  --quick        20,000 dead letters, one round: shows that it works; nothing is written
  --out FILE     writes FILE.json and FILE.md (default bench/results/dead-letters)`;

export async function main(argv: string[]): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: {
      jobs: { type: 'string' },
      rounds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      out: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const { quick } = values;
  const jobs = within('--jobs', values.jobs ?? (quick ? '20000' : '1000000'), 20_000, 5_000_000);
  if (jobs % 20_000 !== 0) throw new Error('--jobs takes a multiple of 20,000.');
  const rounds = within('--rounds', values.rounds ?? (quick ? '1' : '3'), 1, 5);
  const say = (line: string) => console.log(line);
  const server = await startServer();
  const redis = server.redis;
  const broker = createBroker({ redis });
  try {
    await seed({ redis, jobs, until: Date.now(), say });
    const stage: Stage = { broker, path: server.path, jobs, repeats: quick ? 3 : 15, say };
    await watchScripts(redis);
    const readings: Reading[] = [];
    const note = (round: number, found: readonly Found[]) => {
      for (const { measure, value } of found) {
        readings.push({ measure, value, side: 'ours', round });
        say(`round ${round}: ${measure} ${value.toFixed(2)}`);
      }
    };
    for (let round = 1; round <= rounds; round++) {
      for (const cell of [pages, facets, text, purge]) note(round, await cell(stage));
      note(round, await redrive(stage, round));
    }
    note(1, await redriveRest(stage));
    const nameOf = (sha: string) =>
      Object.entries(SCRIPTS).find(([, script]) => script.sha === sha)?.[0] ?? sha.slice(0, 12);
    const scripts = await lookAtScripts(redis, nameOf);
    note(1, [{ measure: 'longest-script', value: scripts.longestMs }]);
    const report = {
      machine: machine(),
      versions: versions(),
      at: new Date().toISOString(),
      jobs,
      measures: DEAD_MEASURES.map((measure) => judge(measure, readings)),
      scripts,
    };
    const markdown = deadMarkdown(report);
    say(`\n${markdown}`);
    const out = values.out ?? (quick ? null : 'bench/results/dead-letters');
    if (out !== null) writeReport(out, report, markdown);
    return 0;
  } finally {
    broker.close();
    await server.stop();
  }
}

function within(option: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least || value > most)
    throw new Error(`${option} takes a whole number from ${least} to ${most}, not ${text}.`);
  return value;
}
