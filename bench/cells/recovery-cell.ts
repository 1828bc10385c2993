/**
 * A worker is killed with its jobs in hand while another stands idle: how long until all of them run again. With a parent
 * that sees the process die and gives its jobs back, as `reclaimWorker` lets any supervisor do, and without.
 */

import { createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { nowMs } from '../harness/bench-child';
import { onStage, QUEUE, type Stage } from '../harness/bench-stage';
import type { Cell, Found } from './bench-cell';

const JOBS = 10;
/** BullMQ marks in one pass and takes back in the next, 30 s each, after a lock of 30 s. */
const PATIENCE_MS = 150_000;
const VICTIM = 'bench-victim';

async function killAndWait(stage: Stage, supervised: boolean): Promise<number> {
  const [victim, other] = await Promise.all([
    stage.process('victim', { warm: false }),
    stage.process('survivor', { warm: false }),
  ]);
  await other.ask('addInBulk', { count: JOBS, perCall: JOBS });
  await victim.ask('prepare', { id: VICTIM, concurrency: JOBS, work: { kind: 'hang' } });
  await victim.ask('go', { total: JOBS });
  await until(() => victim.progress().started === JOBS, {
    timeoutMs: 20_000,
    what: 'the victim to take all jobs',
  });
  await other.ask('prepare', { id: 'bench-survivor', concurrency: JOBS, work: { kind: 'nothing' } });
  await other.ask('go', { total: JOBS });
  const killedAtMs = nowMs();
  await victim.kill();
  if (supervised) await giveBack(stage.server.path);
  await until(() => other.progress().done >= JOBS || other.trouble(), {
    timeoutMs: PATIENCE_MS,
    what: `${stage.side} to run the jobs of a killed worker again`,
  });
  await other.ask('finish');
  await stage.checkEmpty(other);
  return (other.progress().lastStartedAtMs - killedAtMs) / 1_000;
}

async function giveBack(path: string): Promise<void> {
  const broker = createBroker({ url: path });
  const cause = { errorCode: 'WORKER_SIGKILL', message: 'The worker process was killed by SIGKILL.' };
  await broker.reclaimWorker(QUEUE, VICTIM, cause);
  broker.close();
}

export const recovery: Cell = {
  name: 'recovery',
  sides: ['ours', 'bullmq', 'beeQueue'],
  roundsMax: 1,
  together: true,
  async run(stage, { kills }) {
    const found: Found[] = [];
    if (stage.side === 'ours') {
      for (let round = 1; round <= kills; round++) {
        const value = await onStage(stage.options, (fresh) => killAndWait(fresh, true));
        found.push({ measure: 'recovery-supervised', value, round });
      }
    }
    const alone = await killAndWait(stage, false);
    found.push({ measure: 'recovery-unsupervised', value: alone });
    // The peers know no supervisor: this is what they do there, too.
    if (stage.side !== 'ours') found.push({ measure: 'recovery-supervised', value: alone });
    return found;
  },
};
