/** Sends the end of a run to Redis: acks, failures and releases, each with an ack queue per queue or shard. */
import type { AckItem, AckOutcome, FailOutcome, Failure } from '@/lib/broker';
import type { RunEnd } from '../run/run-job';
import type { RunningJob } from '../run/running-job';
import type { Clock, OnEvent, WorkerBroker } from '../worker-types';
import { type AckBatch, type AckQueue, createAckQueue } from './ack-queue';

type ReleaseOutcome = Awaited<ReturnType<WorkerBroker['release']>>[number];

export interface Settlement {
  ack(job: RunningJob, result: string | undefined): Promise<AckOutcome | 'gave-up'>;
  fail(job: RunningJob, failure: Failure): Promise<FailOutcome | 'gave-up'>;
  /** @param delayMs not to be claimed again for so long */
  release(job: RunningJob, delayMs?: number): Promise<ReleaseOutcome | 'gave-up'>;
  /** Acks of a queue that wait, for a claim to carry along. */
  takeAcks(queue: string, max: number): AckBatch<AckItem, AckOutcome> | null;
  /** No claim is coming: the acks that waited for one go now. */
  flush(): void;
  close(): void;
}

export interface SettlementDeps {
  readonly broker: WorkerBroker;
  readonly clock: Clock;
  readonly random: () => number;
  /** Whether a claim that takes acks along is about to leave. */
  claimIsNear(): boolean;
  onTrouble(where: string, error: unknown): void;
}

/**
 * All three are safe to send again: they name the claim, so a resend of what took is answered `already`, and a claim lost
 * meanwhile `stale`. Once the lease is certainly over a resend is pointless: another worker may have the job.
 */
export function createSettlement({
  broker,
  clock,
  random,
  claimIsNear,
  onTrouble,
}: SettlementDeps): Settlement {
  const queues: { close(): void }[] = [];
  const perQueue = <T extends { job: RunningJob }, O>(
    what: string,
    send: (queue: string, items: readonly T[]) => Promise<readonly O[]>,
    byQueue = new Map<string, AckQueue<T, O>>(),
    willBeTaken = () => false,
  ) => {
    return (item: T): Promise<O | 'gave-up'> => {
      const { queue, shardName } = item.job;
      let ackQueue = byQueue.get(shardName);
      if (!ackQueue) {
        ackQueue = createAckQueue<T, O>({
          what: `${what} on ${shardName}`,
          send: (items) => send(queue, items),
          worthRetrying: ({ job }) => !job.lost && clock.monotonicMs() < job.leaseEndsAtMs,
          // Which shard a claim will go to is not known here: acks of sharded queues go by themselves.
          willBeTaken: () => shardName === queue && willBeTaken(),
          random,
          onTrouble: (error) => onTrouble(what, error),
        });
        byQueue.set(shardName, ackQueue);
        queues.push(ackQueue);
      }
      item.job.ending = true;
      return ackQueue.push(item);
    };
  };

  type Ack = { job: RunningJob; result: string | undefined };
  const itemOf = ({ job, result }: Ack): AckItem => ({
    jobId: job.ref.jobId,
    token: job.ref.token,
    result,
  });
  const ackQueues = new Map<string, AckQueue<Ack, AckOutcome>>();
  const ack = perQueue<Ack, AckOutcome>(
    'ack',
    (queue, items) => broker.ack(queue, items.map(itemOf)),
    ackQueues,
    claimIsNear,
  );
  const fail = perQueue<{ job: RunningJob; failure: Failure }, FailOutcome>('fail', (queue, items) =>
    broker.fail(
      queue,
      items.map(({ job, failure }) => ({ ...job.ref, failure })),
    ),
  );
  type Release = { job: RunningJob; delayMs: number | undefined };
  const release = perQueue<Release, ReleaseOutcome>('release', (queue, items) =>
    broker.release(
      queue,
      items.map(({ job, delayMs }) => ({ ...job.ref, delayMs })),
    ),
  );
  return {
    ack: (job, result) => ack({ job, result }),
    fail: (job, failure) => fail({ job, failure }),
    release: (job, delayMs) => release({ job, delayMs }),
    takeAcks(queue, max) {
      const batch = ackQueues.get(queue)?.take(max);
      return batch ? { ...batch, items: batch.items.map(itemOf) } : null;
    },
    flush() {
      for (const ackQueue of ackQueues.values()) ackQueue.flush();
    },
    close() {
      for (const ackQueue of queues) ackQueue.close();
    },
  };
}

export interface RunCounts {
  completed: number;
  failed: number;
  released: number;
}

export async function settleRun(
  job: RunningJob,
  end: RunEnd,
  settlement: Settlement,
  counts: RunCounts,
  onEvent: OnEvent,
): Promise<void> {
  const ref = { queue: job.queue, jobId: job.ref.jobId };
  switch (end.kind) {
    case 'lost':
      return; // Reported when the lease was lost.
    case 'done': {
      const outcome = await settlement.ack(job, end.result);
      if (outcome === 'stale' || outcome === 'gave-up') return onEvent({ type: outcome, ...ref });
      // `already`: an earlier send of this very ack took, only its reply was lost.
      counts.completed += 1;
      return onEvent({ type: 'completed', ...ref });
    }
    case 'failed': {
      const outcome = await settlement.fail(job, end.failure);
      if (outcome === 'stale' || outcome === 'gave-up') return onEvent({ type: outcome, ...ref });
      counts.failed += 1;
      const { errorClass, errorCode } = end.failure;
      return onEvent({
        type: 'failed',
        outcome: outcome === 'dead' ? 'dead' : 'retry',
        errorClass,
        errorCode,
        ...ref,
      });
    }
    case 'release': {
      const outcome = await settlement.release(job, end.delayMs);
      if (outcome === 'stale' || outcome === 'gave-up') return onEvent({ type: outcome, ...ref });
      counts.released += 1;
      return onEvent({ type: 'released', ...ref });
    }
  }
}
