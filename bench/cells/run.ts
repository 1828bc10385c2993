/** Runs what waits, in the ways that differ: how many at once, how long each takes, how many processes. */
import { runJobs } from '../harness/run-jobs';
import type { Work } from '../sides/main';
import { SIDES } from '../sides/side';
import { type Cell, perSecond, type Sizes } from './cell';

interface Way {
  readonly name: string;
  readonly count: (sizes: Sizes) => number;
  readonly concurrency: number;
  readonly processes?: number;
  readonly work?: Work;
}

const way = ({ name, count, concurrency, processes = 1, work }: Way): Cell => ({
  name,
  sides: SIDES,
  async run(stage, sizes) {
    const total = count(sizes);
    const workers = await Promise.all(
      Array.from({ length: processes }, (_, i) => stage.process(`worker ${i + 1}`)),
    );
    const [first] = workers;
    if (!first) throw new Error('A run takes at least one process.');
    await first.ask('addInBulk', { count: total, perCall: 1_000 }, 120_000);
    const { value: ran, redisUs } = await stage.phase(name, () =>
      runJobs(stage, workers, { total, concurrency, work }),
    );
    await stage.checkEmpty(first);
    const cpu = { redisUs: redisUs / total, clientUs: ran.clientCpuUs / total };
    return [{ measure: name, value: perSecond(total, ran.tookMs), cpu }];
  },
});

export const runs: readonly Cell[] = [
  way({ name: 'run-c10', count: ({ c10 }) => c10, concurrency: 10 }),
  way({ name: 'run-c1', count: ({ c1 }) => c1, concurrency: 1 }),
  way({ name: 'run-c100-5ms', count: ({ wait }) => wait, concurrency: 100, work: { kind: 'wait', ms: 5 } }),
  way({ name: 'run-2x100', count: ({ two }) => two, concurrency: 100, processes: 2 }),
];
