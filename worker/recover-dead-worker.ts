/** Reclaims the jobs of a dead worker process at once, and records the crash. */
import type { Broker } from '@/lib/broker';
import { type Logger, RECONNECT_POLICY, retryDelayMs, withCallDeadline } from '@/lib/worker';
import { LAB_QUEUES } from '../lib/contract/lab/lab-settings';

const CALL_DEADLINE_MS = 8_000;
/** By then its leases have run out by themselves. */
const GIVE_UP_MS = 120_000;
/** A claim already on its way when the process died may reach Redis after the first sweep. */
const SECOND_SWEEP_MS = 250;

export interface WorkerDeath {
  readonly workerId: string;
  readonly pid: number;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** `SIGKILL`, or `exit code 1`. */
export const deathCause = ({ signal, code }: WorkerDeath): string =>
  signal ?? `exit code ${code ?? 'unknown'}`;

export interface DeathDeps {
  readonly broker: Pick<Broker, 'reclaimWorker' | 'lab' | 'workers' | 'now'>;
  readonly random: () => number;
  readonly logger: Logger;
  /** Resolves after `ms`. */
  sleep(ms: number): Promise<void>;
}

interface TakenBack {
  queue: string;
  jobId: string;
}

/**
 * Reclaims the dead worker's jobs, then records the crash. Repeated while Redis is away; each step runs once.
 * @param crashed false when it was we who ended it: nothing to record then
 * @returns how many jobs went back
 */
export async function recoverDeadWorker(
  death: WorkerDeath,
  crashed: boolean,
  deps: DeathDeps,
): Promise<number> {
  const { broker, logger, random, sleep } = deps;
  const cause = deathCause(death);
  const errorCode = death.signal ? `WORKER_${death.signal}` : `WORKER_EXIT_${death.code ?? 'UNKNOWN'}`;
  const how = death.signal ? `was killed by ${death.signal}` : `ended with ${cause}`;
  const message = `Worker ${death.workerId} (process ${death.pid}) ${how} while it held this job.`;
  const jobs: TakenBack[] = [];
  const call = <T>(promise: Promise<T>) =>
    withCallDeadline(promise, CALL_DEADLINE_MS, `the crash of ${death.workerId}`);

  async function sweep(): Promise<void> {
    const queues = Object.keys(LAB_QUEUES);
    const swept = await Promise.allSettled(
      queues.map(async (queue) => {
        const { jobIds } = await call(broker.reclaimWorker(queue, death.workerId, { errorCode, message }));
        jobs.push(...jobIds.map((jobId) => ({ queue, jobId })));
      }),
    );
    const failed = swept.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }
  const steps = [
    sweep,
    async () => {
      if (!crashed) return;
      const at = await call(broker.now());
      const { workerId, pid } = death;
      await call(broker.lab.crashed({ at, workerId, pid, cause, reclaimed: jobs.length, jobs }));
      await call(broker.workers.ended(workerId, 'crashed', { at, cause, reclaimed: jobs.length }));
    },
    async () => {
      const before = jobs.length;
      await sleep(SECOND_SWEEP_MS);
      await sweep();
      if (jobs.length > before)
        logger.info({ workerId: death.workerId, late: jobs.length - before }, 'a late claim was taken back');
    },
  ];

  let failures = 0;
  for (let waitedMs = 0; steps[0] && waitedMs < GIVE_UP_MS; ) {
    try {
      await steps[0]();
      steps.shift();
    } catch (error) {
      failures += 1;
      if (failures === 1)
        logger.warn({ err: error, workerId: death.workerId }, 'a crash cannot be recorded yet; trying on');
      const delayMs = retryDelayMs(failures, RECONNECT_POLICY, random);
      waitedMs += delayMs;
      await sleep(delayMs);
    }
  }
  return jobs.length;
}
