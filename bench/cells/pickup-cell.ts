/** How long a job waits for its handler when nothing else is to be done: one process sends now and then, another works. */

import { quantile } from '../harness/statistics';
import { runJobs } from '../harness/work-backlog';
import { SIDES } from '../sides/bench-side';
import type { Cell } from './bench-cell';

const CONCURRENCY = 10;
/** Long enough for every side to have fallen idle again. */
const GAP_MS = 6;
/** The first ones warm caches and compilers. */
const WARM_SHARE = 1 / 7;

export const pickup: Cell = {
  name: 'pickup',
  sides: SIDES,
  async run(stage, { pickups: total }) {
    const [producer, worker] = await Promise.all([stage.process('producer'), stage.process('worker')]);
    const meanwhile = async () => {
      await producer.ask('addSparsely', { count: total, gapMs: GAP_MS }, 120_000);
    };
    const { value } = await stage.phase('pickup', () =>
      runJobs(stage, [worker], { total, concurrency: CONCURRENCY, meanwhile }),
    );
    await stage.checkEmpty(worker);
    const waitedMs = (value.ran[0]?.pickupsUs ?? [])
      .slice(Math.floor(total * WARM_SHARE))
      .map((us) => us / 1_000);
    return [
      { measure: 'pickup-p50', value: quantile(waitedMs, 0.5) },
      { measure: 'pickup-p99', value: quantile(waitedMs, 0.99) },
    ];
  },
};
