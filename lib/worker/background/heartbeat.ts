/** Extends the leases of running jobs, and aborts jobs whose lease is lost. One timer, off while nothing runs. */

import type { RunningJob } from '../run/running-job';
import { withCallDeadline } from '../worker-deadline';
import type { Clock, WorkerBroker } from '../worker-types';

const EVERY_MAX_MS = 5_000;

export interface Heartbeat {
  /** A job was taken, or the lease time changed. */
  arm(): void;
  stop(): void;
}

export interface HeartbeatDeps {
  readonly broker: Pick<WorkerBroker, 'extend'>;
  readonly inHand: ReadonlySet<RunningJob>;
  readonly clock: Clock;
  /** Changes while running. */
  leaseMs(): number;
  onLost(job: RunningJob): void;
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
      if (!job.lost) byShard.set(job.shardName, [...(byShard.get(job.shardName) ?? []), job]);
    await Promise.all(
      [...byShard].map(async ([shard, jobs]) => {
        const queue = jobs[0]?.queue ?? shard;
        const call = broker.extend(
          queue,
          jobs.map((job) => job.ref),
          leasedForMs,
        );
        const outcomes = await withCallDeadline(
          call,
          Math.min(EVERY_MAX_MS, leasedForMs),
          `heartbeat on ${shard}`,
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
    // Without word from Redis: once a lease is certainly over, another worker may have the job.
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
