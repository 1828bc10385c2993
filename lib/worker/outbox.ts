/** The three ways a run can end in Redis, each with a lane per queue, or per shard of it. */
import type { AckItem, AckOutcome, FailOutcome, Failure } from '@/lib/broker';
import type { JobInHand } from './job-in-hand';
import { type Cargo, createLane, type Lane } from './lane';
import type { Clock, WorkerBroker } from './types';

type ReleaseOutcome = Awaited<ReturnType<WorkerBroker['release']>>[number];

export interface Outbox {
  ack(job: JobInHand, result: string | undefined): Promise<AckOutcome | 'gave-up'>;
  fail(job: JobInHand, failure: Failure): Promise<FailOutcome | 'gave-up'>;
  /** @param delayMs not to be claimed again for so long */
  release(job: JobInHand, delayMs?: number): Promise<ReleaseOutcome | 'gave-up'>;
  /** Acks of a queue that wait, for a claim to carry along. */
  takeAcks(queue: string, max: number): Cargo<AckItem, AckOutcome> | null;
  /** No claim is coming: the acks that waited for one go now. */
  flush(): void;
  close(): void;
}

export interface OutboxDeps {
  readonly broker: WorkerBroker;
  readonly clock: Clock;
  readonly random: () => number;
  /** Whether a claim that takes acks along is about to leave. */
  claimIsNear(): boolean;
  onTrouble(where: string, error: unknown): void;
}

/**
 * All three are safe to send again: they name the claim, so a resend of what took is answered `already`, and a claim lost
 * meanwhile `stale`. Once the lease is certainly over a resend is pointless: the job is somebody else's.
 */
export function createOutbox({ broker, clock, random, claimIsNear, onTrouble }: OutboxDeps): Outbox {
  const lanes: { close(): void }[] = [];
  const perQueue = <T extends { job: JobInHand }, O>(
    what: string,
    send: (queue: string, items: readonly T[]) => Promise<readonly O[]>,
    byQueue = new Map<string, Lane<T, O>>(),
    willBeTaken = () => false,
  ) => {
    return (item: T): Promise<O | 'gave-up'> => {
      const { queue, lane: place } = item.job;
      let lane = byQueue.get(place);
      if (!lane) {
        lane = createLane<T, O>({
          what: `${what} on ${place}`,
          send: (items) => send(queue, items),
          worthRetrying: ({ job }) => !job.lost && clock.monotonicMs() < job.leaseEndsAtMs,
          // Which shard a claim will go to is not known here: acks of sharded queues go by themselves.
          willBeTaken: () => place === queue && willBeTaken(),
          random,
          onTrouble: (error) => onTrouble(what, error),
        });
        byQueue.set(place, lane);
        lanes.push(lane);
      }
      item.job.ending = true;
      return lane.push(item);
    };
  };

  type Ack = { job: JobInHand; result: string | undefined };
  const itemOf = ({ job, result }: Ack): AckItem => ({
    jobId: job.ref.jobId,
    token: job.ref.token,
    result,
  });
  const ackLanes = new Map<string, Lane<Ack, AckOutcome>>();
  const ack = perQueue<Ack, AckOutcome>(
    'ack',
    (queue, items) => broker.ack(queue, items.map(itemOf)),
    ackLanes,
    claimIsNear,
  );
  const fail = perQueue<{ job: JobInHand; failure: Failure }, FailOutcome>('fail', (queue, items) =>
    broker.fail(
      queue,
      items.map(({ job, failure }) => ({ ...job.ref, failure })),
    ),
  );
  type Release = { job: JobInHand; delayMs: number | undefined };
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
      const cargo = ackLanes.get(queue)?.take(max);
      return cargo ? { ...cargo, items: cargo.items.map(itemOf) } : null;
    },
    flush() {
      for (const lane of ackLanes.values()) lane.flush();
    },
    close() {
      for (const lane of lanes) lane.close();
    },
  };
}
