/**
 * Extends the leases of running jobs, and aborts jobs after a lost lease or a timeout. One timer for all of that, off while nothing
 * runs.
 */

import type { RunningJob } from '../run/running-job';
import { withCallDeadline } from '../worker-deadline';
import type { Clock, WorkerBroker } from '../worker-types';

const EVERY_MAX_MS = 5_000;

export interface Heartbeat {
  /** A job was taken, or got its timeout. */
  watch(job: RunningJob): void;
  /** The lease time changed: a shortened one must be noticed now. */
  rearm(): void;
  stop(): void;
}

export interface HeartbeatDeps {
  readonly broker: Pick<WorkerBroker, 'extend'>;
  readonly inHand: ReadonlySet<RunningJob>;
  readonly clock: Clock;
  /** Changes while running. */
  leaseMs(): number;
  onAnswered(shardName: string): void;
  onLost(job: RunningJob): void;
  onTrouble(error: unknown): void;
}

export function createHeartbeat(deps: HeartbeatDeps): Heartbeat {
  const { broker, inHand, clock, leaseMs } = deps;
  let timer: NodeJS.Timeout | undefined;
  /** When the timer goes off; Infinity: it is off. */
  let nextAtMs = Number.POSITIVE_INFINITY;
  /** The next extension of all leases. */
  let dueAtMs = Number.POSITIVE_INFINITY;
  let beating = false;
  let stopped = false;
  const everyMs = () => Math.min(EVERY_MAX_MS, leaseMs() / 3);

  function lose(job: RunningJob): void {
    // An ack on its way speaks for itself: it may just have ended the claim, which looks like a lost lease from here.
    if (job.ending || job.lost) return;
    job.abort('lease-lost');
    deps.onLost(job);
  }

  async function beat(): Promise<void> {
    const leasedForMs = leaseMs();
    const sentAtMs = clock.monotonicMs();
    const byShard = new Map<string, RunningJob[]>();
    for (const job of inHand)
      if (!job.lost) {
        const jobs = byShard.get(job.shardName);
        if (jobs) jobs.push(job);
        else byShard.set(job.shardName, [job]);
      }
    await Promise.all(
      [...byShard].map(async ([shard, jobs]) => {
        const call = broker.extend(jobs[0]?.queue ?? shard, jobs, leasedForMs);
        const outcomes = await withCallDeadline(
          call,
          Math.min(EVERY_MAX_MS, leasedForMs),
          `heartbeat on ${shard}`,
        );
        deps.onAnswered(shard);
        jobs.forEach((job, i) => {
          if (outcomes[i] === 'stale') lose(job);
          else job.leaseEndsAtMs = sentAtMs + leasedForMs;
        });
      }),
    );
  }

  function tick(): void {
    const now = clock.monotonicMs();
    nextAtMs = Number.POSITIVE_INFINITY;
    for (const job of inHand) {
      // Without word from Redis: once a lease is certainly over, another worker may have the job.
      if (now >= job.leaseEndsAtMs) lose(job);
      if (now >= job.timeoutAtMs) {
        job.timeoutAtMs = Number.POSITIVE_INFINITY;
        job.abort('timeout');
      }
    }
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
    rearm();
  }

  function rearm(): void {
    if (stopped || inHand.size === 0) {
      clearTimeout(timer);
      nextAtMs = Number.POSITIVE_INFINITY;
      dueAtMs = Number.POSITIVE_INFINITY;
      return;
    }
    dueAtMs = Math.min(dueAtMs, clock.monotonicMs() + everyMs());
    let earliestMs = dueAtMs;
    for (const job of inHand)
      if (!job.lost && !job.ending) earliestMs = Math.min(earliestMs, job.leaseEndsAtMs, job.timeoutAtMs);
    goOffAt(earliestMs);
  }

  function goOffAt(atMs: number): void {
    if (atMs >= nextAtMs) return;
    clearTimeout(timer);
    nextAtMs = atMs;
    timer = setTimeout(tick, Math.max(1, Math.ceil(atMs - clock.monotonicMs())));
  }

  return {
    watch(job) {
      if (dueAtMs === Number.POSITIVE_INFINITY) rearm();
      else if (job.leaseEndsAtMs < nextAtMs || job.timeoutAtMs < nextAtMs)
        goOffAt(Math.min(job.leaseEndsAtMs, job.timeoutAtMs));
    },
    rearm,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
