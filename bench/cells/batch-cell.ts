/** Enqueues many jobs a call and measures the memory of waiting jobs. Runs them only to check that all are there. */
import { runJobs } from '../harness/work-backlog';
import { SIDES } from '../sides/bench-side';
import type { Timed } from '../sides/side-producer';
import { type Cell, rateOf } from './bench-cell';

const PER_CALL = 1_000;

export const bulk: Cell = {
  name: 'bulk',
  sides: SIDES,
  async run(stage, { bulk: count }) {
    const process = await stage.process('process');
    const emptyBytes = await stage.server.dataBytes();
    const { value: added, redisUs } = await stage.phase('enqueue-bulk', () =>
      process.ask<Timed>('addInBulk', { count, perCall: PER_CALL }, 120_000),
    );
    const fullBytes = await stage.server.dataBytes();
    await runJobs(stage, [process], { total: count, concurrency: 100 });
    await stage.checkEmpty(process);
    return [
      rateOf('enqueue-bulk', count, added.tookMs, redisUs, added.cpuUs),
      { measure: 'bytes-waiting-job', value: (fullBytes - emptyBytes) / count },
    ];
  },
};
