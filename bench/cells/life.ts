/** A job's whole life in one process: enqueued one by one, then run at concurrency 100. */
import { runJobs } from '../harness/run-jobs';
import type { Timed } from '../sides/producer';
import { SIDES } from '../sides/side';
import { type Cell, perSecond } from './cell';

const IN_FLIGHT = 100;

export const life: Cell = {
  name: 'life',
  sides: SIDES,
  async run(stage, { life: count }) {
    const process = await stage.process('process');
    const add = await stage.phase('enqueue-single', () =>
      process.ask<Timed>('addSingly', { count, inFlight: IN_FLIGHT }, 120_000),
    );
    const run = await stage.phase('run-c100', () =>
      runJobs(stage, [process], { total: count, concurrency: 100 }),
    );
    const redisUs = add.redisUs + run.redisUs;
    await stage.checkEmpty(process);
    const cpu = (redis: number, client: number) => ({ redisUs: redis / count, clientUs: client / count });
    return [
      {
        measure: 'enqueue-single',
        value: perSecond(count, add.value.tookMs),
        cpu: cpu(add.redisUs, add.value.cpuUs),
      },
      {
        measure: 'run-c100',
        value: perSecond(count, run.value.tookMs),
        cpu: cpu(run.redisUs, run.value.clientCpuUs),
      },
      {
        measure: 'redis-cpu-us-per-job',
        value: redisUs / count,
        cpu: cpu(redisUs, add.value.cpuUs + run.value.clientCpuUs),
      },
    ];
  },
};
