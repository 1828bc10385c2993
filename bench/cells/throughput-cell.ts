/** Runs waiting jobs with different concurrency, run time and number of processes. */
import { runJobs } from '../harness/work-backlog';
import { SIDES } from '../sides/bench-side';
import type { Work } from '../sides/side-process';
import { type Cell, rateOf, type Sizes } from './bench-cell';

interface Throughput {
  readonly name: string;
  readonly count: (sizes: Sizes) => number;
  readonly concurrency: number;
  readonly processes?: number;
  readonly work?: Work;
}

const throughput = ({ name, count, concurrency, processes = 1, work }: Throughput): Cell => ({
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
    const rate = rateOf(name, total, ran.tookMs, redisUs, ran.clientCpuUs);
    // At one job at a time there is nothing to batch: what counts is the cost of all of it.
    if (concurrency > 1) return [rate];
    return [rate, { measure: 'cpu-us-c1', value: (redisUs + ran.clientCpuUs) / total }];
  },
});

export const runs: readonly Cell[] = [
  throughput({ name: 'run-c10', count: ({ c10 }) => c10, concurrency: 10 }),
  throughput({ name: 'run-c1', count: ({ c1 }) => c1, concurrency: 1 }),
  throughput({
    name: 'run-c100-5ms',
    count: ({ wait }) => wait,
    concurrency: 100,
    work: { kind: 'wait', ms: 5 },
  }),
  throughput({ name: 'run-2x100', count: ({ two }) => two, concurrency: 100, processes: 2 }),
];
