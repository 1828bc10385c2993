/** Many jobs a call, and the memory they take while they wait. They are run afterwards only to see that all are there. */
import { runJobs } from '../harness/run-jobs';
import type { Timed } from '../sides/producer';
import { SIDES } from '../sides/side';
import { type Cell, perSecond } from './cell';

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
      {
        measure: 'enqueue-bulk',
        value: perSecond(count, added.tookMs),
        cpu: { redisUs: redisUs / count, clientUs: added.cpuUs / count },
      },
      { measure: 'bytes-waiting-job', value: (fullBytes - emptyBytes) / count },
    ];
  },
};
