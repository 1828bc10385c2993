/** Reclaims the jobs of a dead worker process, at once or when their leases expire, and records the crash. */
import type { Broker } from '@/lib/broker';
import type { LabCrash } from '@/lib/contract/lab/lab-schemas';
import type { Lab } from '@/lib/lab/open-lab';
import { type Logger, RECONNECT_POLICY, retryDelayMs, withCallDeadline } from '@/lib/worker';
import { LAB_QUEUES } from '../lib/contract/lab/lab-settings';

const CALL_DEADLINE_MS = 8_000;
/** By then its leases have run out by themselves. */
const GIVE_UP_MS = 120_000;
/** A claim already on its way when the process died may reach Redis after the first sweep. */
const SECOND_SWEEP_MS = 250;
const LEASE_CHECK_EVERY_MS = 500;
/** More than the demo's workers can hold of one queue. */
const IN_FLIGHT_MAX = 500;
const QUEUES = Object.keys(LAB_QUEUES);

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
  readonly broker: Pick<Broker, 'reclaimWorker' | 'inspect' | 'workers' | 'now'>;
  readonly lab: Pick<Lab, 'crashed'>;
  readonly random: () => number;
  readonly logger: Logger;
  /** Leaves the jobs of a crashed worker until their leases expire. */
  readonly slowReclaim: boolean;
  /** Resolves after `ms`. */
  sleep(ms: number): Promise<void>;
}

type HeldJobs = LabCrash['jobs'];

/**
 * Reclaims the dead worker's jobs and records the crash. Repeated while Redis is away; each step runs once.
 * @param crashed false when it was we who ended it: nothing to record then
 * @returns how many jobs went back
 */
export async function recoverDeadWorker(
  death: WorkerDeath,
  crashed: boolean,
  deps: DeathDeps,
): Promise<number> {
  const { broker, lab, logger, random, sleep } = deps;
  const { workerId, pid } = death;
  const cause = deathCause(death);
  const errorCode = death.signal ? `WORKER_${death.signal}` : `WORKER_EXIT_${death.code ?? 'UNKNOWN'}`;
  const how = death.signal ? `was killed by ${death.signal}` : `ended with ${cause}`;
  // Without its id, which the history has beside it: a group of many crashes is not named after one of them.
  const message = `The worker's process ${how} while it held this job.`;
  let diedAt: number | null = null;
  let jobs: HeldJobs = [];
  const call = <T>(promise: Promise<T>) =>
    withCallDeadline(promise, CALL_DEADLINE_MS, `the crash of ${workerId}`);

  async function sweep(): Promise<void> {
    const swept = await Promise.allSettled(
      QUEUES.map(async (queue) => {
        const { jobIds } = await call(broker.reclaimWorker(queue, workerId, { errorCode, message }));
        jobs.push(...jobIds.map((jobId) => ({ queue, jobId, leaseUntil: null })));
      }),
    );
    const failed = swept.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }

  async function record(reclaimed: number): Promise<void> {
    diedAt ??= await call(broker.now());
    const at = diedAt;
    await call(lab.crashed({ at, workerId, pid, cause, reclaimed, jobs }));
    await call(broker.workers.ended(workerId, 'crashed', { at, cause, reclaimed }, jobs));
  }

  async function readHeld(): Promise<HeldJobs> {
    const held = await Promise.all(
      QUEUES.map(async (queue) => {
        const page = await call(broker.inspect.list(queue, { state: 'in-flight', limit: IN_FLIGHT_MAX }));
        return page.jobs
          .filter(({ worker }) => worker === workerId)
          .map(({ jobId, stateAt }) => ({ queue, jobId, leaseUntil: stateAt }));
      }),
    );
    return held.flat();
  }

  const atOnce = [
    sweep,
    async () => {
      if (crashed) await record(jobs.length);
    },
    async () => {
      const before = jobs.length;
      await sleep(SECOND_SWEEP_MS);
      await sweep();
      if (jobs.length > before)
        logger.info({ workerId, late: jobs.length - before }, 'a late claim was taken back');
    },
  ];
  const atLeaseEnd = [
    async () => {
      jobs = await readHeld();
      await record(0);
    },
    async () => {
      // Maintenance takes them back: this only waits for it.
      for (let waitedMs = 0; waitedMs < GIVE_UP_MS; waitedMs += LEASE_CHECK_EVERY_MS) {
        if ((await readHeld()).length === 0) return;
        await sleep(LEASE_CHECK_EVERY_MS);
      }
    },
    () => record(jobs.length),
  ];

  const steps = crashed && deps.slowReclaim ? atLeaseEnd : atOnce;
  let failures = 0;
  for (let waitedMs = 0; steps[0] && waitedMs < GIVE_UP_MS; ) {
    try {
      await steps[0]();
      steps.shift();
    } catch (error) {
      failures += 1;
      if (failures === 1) logger.warn({ err: error, workerId }, 'a crash cannot be recorded yet; trying on');
      const delayMs = retryDelayMs(failures, RECONNECT_POLICY, random);
      waitedMs += delayMs;
      await sleep(delayMs);
    }
  }
  return jobs.length;
}
