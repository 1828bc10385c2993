/** Works off what waits in a queue, in one process or several, and says how long that took. */
import { within } from '@/scripts/lib/deadline.mjs';
import type { Ran } from '../sides/run-tally';
import type { Work } from '../sides/side-process';
import type { BenchProcess } from './bench-process';
import { checkRuns, type Stage } from './bench-stage';

export interface RunJobs {
  readonly total: number;
  readonly concurrency: number;
  readonly work?: Work;
  readonly deadlineMs?: number;
  /** While the jobs run; awaited before the workers are stopped. */
  readonly meanwhile?: () => Promise<void>;
}
export interface JobsRan {
  tookMs: number;
  clientCpuUs: number;
  ran: Ran[];
}

export async function runJobs(
  stage: Stage,
  workers: readonly BenchProcess[],
  jobs: RunJobs,
): Promise<JobsRan> {
  const { total, concurrency, work = { kind: 'nothing' }, deadlineMs = 180_000 } = jobs;
  await Promise.all(
    workers.map((worker, i) => worker.ask('prepare', { id: `bench-${i + 1}`, concurrency, work })),
  );
  const done = allDone(workers, total);
  const starts = await Promise.all(workers.map((worker) => worker.ask<number>('go', { total })));
  await jobs.meanwhile?.();
  await within(done, deadlineMs, `${stage.side} to run ${total} jobs`).catch((error: Error) => {
    const seen = workers.map((worker) => worker.trouble() ?? `${worker.progress().done} done`);
    throw new Error(`${error.message} (${seen.join('; ')})`);
  });
  const lastDoneAtMs = Math.max(...workers.map((worker) => worker.progress().lastDoneAtMs));
  const ran = await Promise.all(workers.map((worker) => worker.ask<Ran>('finish')));
  checkRuns(stage.side, total, ran);
  return {
    tookMs: lastDoneAtMs - Math.min(...starts),
    clientCpuUs: ran.reduce((sum, { cpuUs }) => sum + cpuUs, 0),
    ran,
  };
}

function allDone(workers: readonly BenchProcess[], total: number): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (workers.reduce((sum, worker) => sum + worker.progress().done, 0) >= total) resolve();
    };
    for (const worker of workers) worker.onProgress(look);
  });
}
