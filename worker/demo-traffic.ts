/** Keeps jobs coming: a steady stream, bursts on request, and nothing while a backlog is long enough. */
import type { Broker } from '@/lib/broker';
import type { EnqueueInput } from '@/lib/contract/jobs/envelope';
import type { LabBurst, LabSettings } from '@/lib/contract/lab/lab-schemas';
import { RedriveError } from '@/lib/contract/redrive-error';
import type { Lab } from '@/lib/lab/open-lab';
import { type Logger, withCallDeadline } from '@/lib/worker';
import { LAB_QUEUES } from '../lib/contract/lab/lab-settings';
import { makeJob } from './demo-jobs';
import type { LabQueue } from './demo-kinds';

const CALL_DEADLINE_MS = 8_000;
const BATCH_MAX_JOBS = 1_000;
const BACKLOG_MAX_JOBS = 20_000;
const BACKLOG_EVERY_MS = 1_000;
const QUEUES = Object.keys(LAB_QUEUES);

export interface Traffic {
  /** One step: enqueues what is due since the last. */
  step(settings: LabSettings): Promise<void>;
  /** Jobs enqueued so far. */
  enqueued(): number;
}

export interface TrafficDeps {
  readonly broker: Pick<Broker, 'enqueueMany' | 'inspect'>;
  readonly lab: Pick<Lab, 'takeBurst'>;
  readonly random: () => number;
  /** Monotonic. */
  nowMs(): number;
  readonly logger: Logger;
}

export function createTraffic({ broker, lab, random, nowMs, logger }: TrafficDeps): Traffic {
  const unsent = new Map<LabQueue, EnqueueInput[]>();
  let lastMs = nowMs();
  let backlogCheckedMs = Number.NEGATIVE_INFINITY;
  let backlogged = false;
  /** Jobs the rate has earned but that were not made yet, with a fraction. */
  let owed = 0;
  /** Bursts that are not made yet, or not whole. */
  let bursts: LabBurst[] = [];
  let enqueued = 0;

  async function checkBacklog(): Promise<void> {
    if (nowMs() - backlogCheckedMs < BACKLOG_EVERY_MS) return;
    const readings = await withCallDeadline(broker.inspect.snapshot(QUEUES), CALL_DEADLINE_MS, 'the backlog');
    backlogCheckedMs = nowMs();
    const deep = readings.find(({ counts }) => counts.ready > BACKLOG_MAX_JOBS);
    if (deep && !backlogged)
      logger.info(
        { queue: deep.queue, ready: deep.counts.ready },
        'traffic rests: the backlog is long enough',
      );
    backlogged = deep !== undefined;
  }

  /** What could not be sent stays and goes again, with the same ids: enqueue is idempotent by id. */
  async function send(): Promise<void> {
    for (const [queue, jobs] of unsent) {
      try {
        await withCallDeadline(broker.enqueueMany(queue, jobs), CALL_DEADLINE_MS, `enqueue on ${queue}`);
        enqueued += jobs.length;
      } catch (error) {
        if (!(error instanceof RedriveError) || error.code !== 'VALIDATION') throw error;
        logger.error({ err: error, queue }, 'made-up jobs were refused and dropped');
      }
      unsent.delete(queue);
    }
  }

  function add(count: number, settings: LabSettings, tenant?: string): void {
    for (let i = 0; i < count; i++) {
      const { queue, job } = makeJob(settings, random, tenant);
      const jobs = unsent.get(queue);
      if (jobs) jobs.push(job);
      else unsent.set(queue, [job]);
    }
  }

  return {
    enqueued: () => enqueued,
    async step(settings) {
      const now = nowMs();
      // After an outage the stream goes on; it does not make up for lost time.
      owed = Math.min(
        owed + (settings.trafficPerSecond * (now - lastMs)) / 1_000,
        Math.max(1, settings.trafficPerSecond),
      );
      lastMs = now;
      await send();
      await checkBacklog();
      const burst = await withCallDeadline(lab.takeBurst(), CALL_DEADLINE_MS, 'the burst');
      if (burst) bursts.push(burst);
      if (backlogged) {
        owed = 0;
        return;
      }
      const steady = Math.min(BATCH_MAX_JOBS, Math.floor(owed));
      owed -= Math.floor(owed);
      add(steady, settings);
      let room = BATCH_MAX_JOBS - steady;
      bursts = bursts.flatMap(({ jobs, tenant }) => {
        const now = Math.min(room, jobs);
        room -= now;
        add(now, settings, tenant);
        return jobs > now ? { jobs: jobs - now, tenant } : [];
      });
      await send();
    },
  };
}
