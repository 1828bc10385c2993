/** Sends the ends of runs to Redis: acks, failures and releases, each with an ack queue per queue or shard. */
import type { AckOutcome, FailItem, FailOutcome } from '@/lib/broker/application';
import type { RunEnd } from '../run/run-end';
import type { RunningJob } from '../run/running-job';
import type { Notify } from '../worker-logging';
import type { Clock, WorkerBroker } from '../worker-types';
import { type AckBatch, type AckQueue, createAckQueue } from './ack-queue';

type ReleaseOutcome = Awaited<ReturnType<WorkerBroker['release']>>[number];

export interface Settlement {
  /** The run ended: it waits for `flush`, or for a claim that takes it along. */
  end(job: RunningJob, end: RunEnd): void;
  /** Acks of a queue that wait, for a claim to carry along. */
  takeAcks(queue: string, max: number): AckBatch<RunningJob, AckOutcome> | null;
  /** Sends what waits, but for the acks that a claim is about to take along. */
  flush(): void;
  /** A call to this shard, or queue without shards, was answered. */
  answered(shardName: string): void;
  close(): void;
}

export interface RunCounts {
  completed: number;
  failed: number;
  released: number;
}

export interface SettlementDeps {
  readonly broker: WorkerBroker;
  readonly clock: Clock;
  readonly random: () => number;
  readonly counts: RunCounts;
  /** Takes what became of each job; null: no listener. */
  readonly notify: Notify | null;
  /** Whether a claim that takes the queue's acks along is about to leave. */
  claimIsNear(queue: string): boolean;
  onCompleted(job: RunningJob): void;
  /** The worker has nothing more to do with this job. `dueInMs`: it may run again then. */
  onLeft(job: RunningJob, dueInMs?: number): void;
  /** After `onLeft` of all jobs of a reply. */
  onAllLeft(): void;
  onTrouble(where: string, error: unknown): void;
}

interface Failed extends FailItem {
  readonly job: RunningJob;
}
interface Released {
  readonly job: RunningJob;
  readonly jobId: string;
  readonly token: string;
  readonly delayMs: number | undefined;
}

/**
 * All three are safe to send again: they name the claim, so a resend of what took is answered `already`, and a claim lost
 * meanwhile `stale`. Once the lease is certainly over a resend is pointless: another worker may have the job.
 */
export function createSettlement(deps: SettlementDeps): Settlement {
  const { broker, clock, random, counts, notify } = deps;
  const all: Pick<AckQueue<unknown, unknown>, 'flush' | 'close'>[] = [];
  /** Ack queues with a failed last call, and their shards. */
  const troubled = new Map<Pick<AckQueue<unknown, unknown>, 'answered'>, string>();
  /** Those with something to send. */
  const waiting = new Set<Pick<AckQueue<unknown, unknown>, 'flush'>>();

  function perShard<T, O>(
    what: string,
    jobOf: (item: T) => RunningJob,
    send: (queue: string, items: readonly T[]) => Promise<readonly O[]>,
    onSettled: (items: readonly T[], outcomes: readonly O[] | null) => void,
    isNear: (queue: string) => boolean = () => false,
  ) {
    const byShard = new Map<string, AckQueue<T, O>>();
    function open(queue: string, shardName: string): AckQueue<T, O> {
      const ackQueue = createAckQueue<T, O>({
        what: `${what} on ${shardName}`,
        send: (items) => send(queue, items),
        onSettled(items, outcomes) {
          onSettled(items, outcomes);
          deps.onAllLeft();
        },
        worthRetrying(item) {
          const job = jobOf(item);
          return !job.lost && clock.monotonicMs() < job.leaseEndsAtMs;
        },
        // Which shard a claim will go to is not known here: acks of sharded queues go by themselves.
        willBeTaken: () => shardName === queue && isNear(queue),
        random,
        onTrouble(error) {
          troubled.set(ackQueue, shardName);
          deps.onTrouble(what, error);
        },
      });
      byShard.set(shardName, ackQueue);
      all.push(ackQueue);
      return ackQueue;
    }
    return {
      get: (shardName: string) => byShard.get(shardName),
      push({ queue, shardName }: RunningJob, item: T): void {
        const ackQueue = byShard.get(shardName) ?? open(queue, shardName);
        ackQueue.push(item);
        waiting.add(ackQueue);
      },
    };
  }

  /** What was not taken: the claim is lost, or Redis did not hear of the end in time. */
  function refused(job: RunningJob, type: 'stale' | 'gave-up', dueInMs?: number): void {
    notify?.(job, { type, queue: job.queue, jobId: job.jobId }, dueInMs);
  }

  const acks = perShard<RunningJob, AckOutcome>(
    'ack',
    (job) => job,
    (queue, items) => broker.ack(queue, items),
    (jobs, outcomes) => {
      for (let i = 0; i < jobs.length; i++) {
        const job = jobs[i] as RunningJob;
        const outcome = outcomes?.[i] ?? 'gave-up';
        if (outcome === 'stale' || outcome === 'gave-up') refused(job, outcome);
        else {
          // `already`: an earlier send of this very ack took, only its reply was lost.
          counts.completed += 1;
          deps.onCompleted(job);
          notify?.(job, { type: 'completed', queue: job.queue, jobId: job.jobId });
        }
        deps.onLeft(job);
      }
    },
    deps.claimIsNear,
  );
  const failures = perShard<Failed, FailOutcome>(
    'fail',
    ({ job }) => job,
    (queue, items) =>
      broker.fail(
        queue,
        items.map(({ jobId, token, failure }) => ({ jobId, token, failure })),
      ),
    (items, outcomes) => {
      for (const [i, { job, failure }] of items.entries()) {
        const outcome = outcomes?.[i] ?? 'gave-up';
        const { errorClass, errorCode, retryInMs } = failure;
        if (outcome === 'stale' || outcome === 'gave-up') refused(job, outcome, retryInMs);
        else {
          counts.failed += 1;
          const { queue, jobId } = job;
          const became = outcome === 'dead' ? 'dead' : 'retry';
          notify?.(job, { type: 'failed', outcome: became, errorClass, errorCode, queue, jobId }, retryInMs);
        }
        deps.onLeft(job, retryInMs);
      }
    },
  );
  const releases = perShard<Released, ReleaseOutcome>(
    'release',
    ({ job }) => job,
    (queue, items) =>
      broker.release(
        queue,
        items.map(({ jobId, token, delayMs }) => ({ jobId, token, delayMs })),
      ),
    (items, outcomes) => {
      for (const [i, { job, delayMs }] of items.entries()) {
        const outcome = outcomes?.[i] ?? 'gave-up';
        if (outcome === 'stale' || outcome === 'gave-up') refused(job, outcome, delayMs);
        else {
          counts.released += 1;
          notify?.(job, { type: 'released', queue: job.queue, jobId: job.jobId }, delayMs);
        }
        deps.onLeft(job, delayMs);
      }
    },
  );

  return {
    end(job, end) {
      job.ending = end.kind !== 'lost';
      const { jobId, token } = job;
      switch (end.kind) {
        case 'done':
          return acks.push(job, job);
        case 'failed':
          return failures.push(job, { job, jobId, token, failure: end.failure });
        case 'release':
          return releases.push(job, { job, jobId, token, delayMs: end.delayMs });
        case 'lost':
          // Reported when the lease was lost.
          deps.onLeft(job);
          return deps.onAllLeft();
      }
    },
    takeAcks: (queue, max) => acks.get(queue)?.take(max) ?? null,
    flush() {
      for (const ackQueue of waiting) if (!ackQueue.flush()) waiting.delete(ackQueue);
    },
    answered(shardName) {
      for (const [ackQueue, shard] of troubled) {
        if (shard !== shardName) continue;
        troubled.delete(ackQueue);
        ackQueue.answered();
      }
    },
    close() {
      for (const ackQueue of all) ackQueue.close();
    },
  };
}
