/** A job's whole life in one process: enqueued one by one, then run at concurrency 100. */
import { runJobs } from '../harness/work-backlog';
import { SIDES } from '../sides/bench-side';
import type { Timed } from '../sides/side-producer';
import { type Cell, cpuPerJob, rateOf } from './bench-cell';

const IN_FLIGHT = 100;

export const life: Cell = {
  name: 'life',
  sides: SIDES,
  async run(stage, { life: count }) {
    const process = await stage.process('process');
    const logBefore = await stage.server.logBytes();
    const add = await stage.phase('enqueue-single', () =>
      process.ask<Timed>('addSingly', { count, inFlight: IN_FLIGHT }, 120_000),
    );
    const run = await stage.phase('run-c100', () =>
      runJobs(stage, [process], { total: count, concurrency: 100 }),
    );
    const logBytes = (await stage.server.logBytes()) - logBefore;
    const redisUs = add.redisUs + run.redisUs;
    await stage.checkEmpty(process);
    const clientUs = add.value.cpuUs + run.value.clientCpuUs;
    return [
      rateOf('enqueue-single', count, add.value.tookMs, add.redisUs, add.value.cpuUs),
      rateOf('run-c100', count, run.value.tookMs, run.redisUs, run.value.clientCpuUs),
      {
        measure: 'redis-cpu-us-per-job',
        value: redisUs / count,
        cpu: cpuPerJob(count, redisUs, clientUs),
      },
      { measure: 'client-us-c100', value: run.value.clientCpuUs / count },
      { measure: 'redis-us-c100', value: run.redisUs / count },
      { measure: 'log-bytes-per-job', value: logBytes / count },
    ];
  },
};
