/** `npm run bench:dead`: searching, counting and moving a million dead letters. */

import { SCRIPTS } from '@/lib/broker/lua.generated';
import { createBroker } from '@/testing/create-broker';
import type { Bench } from '../harness/bench-command';
import { startServer } from '../harness/bench-server';
import { judge, type Reading } from '../harness/bench-verdict';
import { stamp } from '../harness/machine';
import { type Found, facets, pages, purge, redrive, redriveRest, type Stage, text } from './dead-cells';
import { DEAD_MEASURES } from './dead-measures';
import { deadMarkdown } from './dead-report';
import { readScripts, watchScripts } from './dead-scripts';
import { groupsPage } from './groups-page';
import { seed } from './seed-dead-letters';

export const bench: Bench<'jobs' | 'rounds'> = {
  help: `npm run bench:dead [-- options]

  --jobs N       dead letters, a multiple of 20,000 (default 1000000)
  --rounds N     rounds of what can be repeated (default 3, at most 5)
  --quick        20,000 dead letters, one round: shows that it works; nothing is written
  --out FILE     writes FILE.json and FILE.md (default bench/results/dead-letters)`,
  out: 'bench/results/dead-letters',
  numbers: {
    jobs: { default: 1_000_000, quick: 20_000, min: 20_000, max: 5_000_000 },
    rounds: { default: 3, quick: 1, max: 5 },
  },
  async run({ numbers: { jobs, rounds }, quick }, say) {
    if (jobs % 20_000 !== 0) throw new Error('--jobs takes a multiple of 20,000.');
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
        note(round, await groupsPage(jobs));
      }
      note(1, await redriveRest(stage));
      const scripts = await readScripts(redis, nameOf);
      note(1, [{ measure: 'longest-script', value: scripts.longestMs }]);
      const measures = DEAD_MEASURES.map((measure) => judge(measure, readings));
      const report = { ...stamp(), jobs, measures, scripts };
      return { report, text: deadMarkdown(report), ok: true };
    } finally {
      broker.close();
      await server.stop();
    }
  },
};

const nameOf = (sha: string): string =>
  Object.entries(SCRIPTS).find(([, script]) => script.sha === sha)?.[0] ?? sha.slice(0, 12);
