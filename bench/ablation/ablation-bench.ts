/** `npm run bench:ablation`: what each thing costs, by adding one piece after the other to the plain design. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from '../harness/bench-command';
import { onStage, type StageOptions } from '../harness/bench-stage';
import { bundle } from '../harness/bundle';
import { stamp } from '../harness/machine';
import { runJobs } from '../harness/work-backlog';
import type { Timed } from '../sides/side-producer';
import { ablationMarkdown, ablationTables, withTables } from './ablation-report';
import {
  type AblationReading,
  type AblationReport,
  type AblationVariant,
  type Figures,
  rowsOf,
} from './ablation-rows';
import { addingSteps, BESIDE_REDRIVE, usingSteps } from './pieces';

const OUT = 'bench/results/ablation';
const DOCS = join(import.meta.dirname, '../../docs/benchmarks.md');
const BUSY_CONCURRENCY = 100;
const IN_FLIGHT = 100;
const DEADLINE_MS = 120_000;

const REDRIVE = 'Redrive, none of these in use';
export const VARIANTS: readonly AblationVariant[] = [
  ...addingSteps().map((step) => ({ ...step, kind: 'added', side: 'design' }) as const),
  ...usingSteps().map((step) => ({ ...step, kind: 'used', side: 'design' }) as const),
  { title: REDRIVE, before: BESIDE_REDRIVE, kind: 'product', side: 'ours' },
  ...usingSteps().map(
    ({ title, inUse }) =>
      ({ title: `Redrive: ${title}`, before: REDRIVE, inUse, kind: 'product', side: 'ours' }) as const,
  ),
  { title: 'lean', before: 'plain design', kind: 'added', side: 'lean' },
];

export const bench: Bench<'rounds' | 'concurrency' | 'jobs'> = {
  help: `npm run bench:ablation [-- options]

  --rounds N       rounds of every step (default 5)
  --concurrency N  jobs run at a time (default 100; others are only printed, except with --out)
  --jobs N         jobs of every step (default 20000; 4000 below a concurrency of 10)
  --quick          few jobs: shows that everything works, not what it costs
  --out FILE       writes FILE.json and FILE.md (default ${OUT}, which also renews the tables in docs/benchmarks.md)`,
  out: OUT,
  numbers: {
    rounds: { default: 5, quick: 1, max: 100 },
    concurrency: { default: BUSY_CONCURRENCY, max: 1_000 },
    jobs: { default: 0, quick: 500, min: 0, max: 1_000_000 },
  },
  isPartial: ({ numbers }) => numbers.concurrency !== BUSY_CONCURRENCY,
  async run({ numbers: { rounds, concurrency, jobs }, out }, say) {
    const file = await bundle('sides/side-process.ts');
    const count = jobs || (concurrency < 10 ? 4_000 : 20_000);
    const readings: AblationReading[] = [];
    for (let round = 1; round <= rounds; round++)
      for (const { title, side, pieces = [], inUse = [] } of VARIANTS) {
        const choice = { pieces, inUse };
        const figures = await measure({ side, choice, file, profiler: null }, count, concurrency);
        readings.push({ title, round, figures });
        const { runClientUs, runRedisUs, logBytes } = figures;
        const cpu = `${runClientUs.toFixed(1)} + ${runRedisUs.toFixed(1)}`;
        say(`round ${round}, ${title}: run ${cpu} µs, ${logBytes.toFixed(0)} bytes`);
      }
    const report: AblationReport = {
      ...stamp(),
      rounds,
      concurrency,
      jobs: count,
      rows: rowsOf(VARIANTS, readings),
    };
    if (out === OUT) writeFileSync(DOCS, withTables(readFileSync(DOCS, 'utf8'), ablationTables(report)));
    return { report, text: ablationMarkdown(report), ok: true };
  },
};

/** What a job costs that is enqueued one by one, then run. */
function measure(options: StageOptions, count: number, concurrency: number): Promise<Figures> {
  return onStage(options, async (stage) => {
    const process = await stage.process('process');
    const logBefore = await stage.server.logBytes();
    const add = await stage.phase('enqueue', () =>
      process.ask<Timed>('addSingly', { count, inFlight: IN_FLIGHT }, DEADLINE_MS),
    );
    const run = await stage.phase('run', () => runJobs(stage, [process], { total: count, concurrency }));
    const logBytes = (await stage.server.logBytes()) - logBefore;
    await stage.checkEmpty(process);
    return {
      runClientUs: run.value.clientCpuUs / count,
      runRedisUs: run.redisUs / count,
      enqueueClientUs: add.value.cpuUs / count,
      enqueueRedisUs: add.redisUs / count,
      logBytes: logBytes / count,
    };
  });
}
