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
    const atStartUs = await stage.server.cpuUs();
    const added = await process.ask<Timed>('addSingly', { count, inFlight: IN_FLIGHT }, 120_000);
    const betweenUs = await stage.server.cpuUs();
    const ran = await runJobs(stage, [process], { total: count, concurrency: 100 });
    const atEndUs = await stage.server.cpuUs();
    await stage.checkEmpty(process);
    const cpu = (redisUs: number, clientUs: number) => ({
      redisUs: redisUs / count,
      clientUs: clientUs / count,
    });
    return [
      {
        measure: 'enqueue-single',
        value: perSecond(count, added.tookMs),
        cpu: cpu(betweenUs - atStartUs, added.cpuUs),
      },
      {
        measure: 'run-c100',
        value: perSecond(count, ran.tookMs),
        cpu: cpu(atEndUs - betweenUs, ran.clientCpuUs),
      },
      {
        measure: 'redis-cpu-us-per-job',
        value: (atEndUs - atStartUs) / count,
        cpu: cpu(atEndUs - atStartUs, added.cpuUs + ran.clientCpuUs),
      },
    ];
  },
};
