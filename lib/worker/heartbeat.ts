/** Keeps the leases of running jobs, and stops the jobs whose lease is gone. One timer, silent while nothing runs. */
import { withDeadline } from './deadline';
import type { JobInHand } from './job-in-hand';
import type { Clock, WorkerBroker } from './types';

const EVERY_MAX_MS = 5_000;

export interface Heartbeat {
  /** A job was taken, or the lease time changed. */
  arm(): void;
  stop(): void;
}

export interface HeartbeatDeps {
  readonly broker: Pick<WorkerBroker, 'extend'>;
  readonly inHand: ReadonlySet<JobInHand>;
  readonly clock: Clock;
  /** Changes while running. */
  leaseMs(): number;
  onLost(job: JobInHand): void;
  onTrouble(error: unknown): void;
}

export function createHeartbeat(deps: HeartbeatDeps): Heartbeat {
  const { broker, inHand, clock, leaseMs } = deps;
  let timer: NodeJS.Timeout | undefined;
  let dueAtMs = Number.POSITIVE_INFINITY;
  let beating = false;
  let stopped = false;
  const everyMs = () => Math.min(EVERY_MAX_MS, leaseMs() / 3);
  const running = () => [...inHand].filter((job) => !job.lost && !job.ending);

  function lose(job: JobInHand): void {
    // An ack on its way speaks for itself: it may just have ended the claim, which looks like a lost lease from here.
    if (job.ending || job.lost) return;
    job.abort('lease-lost');
    deps.onLost(job);
  }

  async function beat(): Promise<void> {
    const leasedForMs = leaseMs();
    const sentAtMs = clock.monotonicMs();
    const byLane = new Map<string, JobInHand[]>();
    for (const job of inHand) if (!job.lost) byLane.set(job.lane, [...(byLane.get(job.lane) ?? []), job]);
    await Promise.all(
      [...byLane].map(async ([lane, jobs]) => {
        const queue = jobs[0]?.queue ?? lane;
        const call = broker.extend(
          queue,
          jobs.map((job) => job.ref),
          leasedForMs,
        );
        const outcomes = await withDeadline(
          call,
          Math.min(EVERY_MAX_MS, leasedForMs),
          `heartbeat on ${lane}`,
        );
        jobs.forEach((job, i) => {
          if (outcomes[i] === 'stale') lose(job);
          else job.extend(sentAtMs + leasedForMs);
        });
      }),
    );
  }

  function tick(): void {
    const now = clock.monotonicMs();
    // Without word from Redis: once a lease is certainly over, someone else may have the job.
    for (const job of running()) if (now >= job.leaseEndsAtMs) lose(job);
    if (now >= dueAtMs) {
      dueAtMs = now + everyMs();
      // One at a time: a call that hangs must not pile up others behind it.
      if (!beating && inHand.size > 0) {
        beating = true;
        beat()
          .catch(deps.onTrouble)
          .finally(() => {
            beating = false;
          });
      }
    }
    schedule();
  }

  function schedule(): void {
    clearTimeout(timer);
    timer = undefined;
    if (stopped || inHand.size === 0) {
      dueAtMs = Number.POSITIVE_INFINITY;
      return;
    }
    const now = clock.monotonicMs();
    dueAtMs = Math.min(dueAtMs, now + everyMs());
    const next = Math.min(dueAtMs, ...running().map((job) => job.leaseEndsAtMs));
    timer = setTimeout(tick, Math.max(1, Math.ceil(next - now)));
  }

  return {
    // A job just taken has a whole lease: an armed timer comes in time. A shortened lease must be noticed now.
    arm() {
      if (timer === undefined || clock.monotonicMs() + everyMs() < dueAtMs) schedule();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
