/** The three ways a run can end in Redis, each with a lane per queue. */
import type { AckOutcome, FailOutcome, Failure } from '@/lib/broker';
import type { JobInHand } from './job-in-hand';
import { createLane, type Lane } from './lane';
import type { Clock, WorkerBroker } from './types';

type ReleaseOutcome = Awaited<ReturnType<WorkerBroker['release']>>[number];

export interface Outbox {
  ack(job: JobInHand, result: string | undefined): Promise<AckOutcome | 'gave-up'>;
  fail(job: JobInHand, failure: Failure): Promise<FailOutcome | 'gave-up'>;
  release(job: JobInHand): Promise<ReleaseOutcome | 'gave-up'>;
  close(): void;
}

export interface OutboxDeps {
  readonly broker: WorkerBroker;
  readonly clock: Clock;
  readonly random: () => number;
  onTrouble(where: string, error: unknown): void;
}

/**
 * All three are safe to send again: they name the claim, so a resend of what took is answered `already`, and a claim lost
 * meanwhile `stale`. Once the lease is certainly over a resend is pointless: the job is somebody else's.
 */
export function createOutbox({ broker, clock, random, onTrouble }: OutboxDeps): Outbox {
  const lanes: { close(): void }[] = [];
  const perQueue = <T extends { job: JobInHand }, O>(
    what: string,
    send: (queue: string, items: readonly T[]) => Promise<readonly O[]>,
  ) => {
    const byQueue = new Map<string, Lane<T, O>>();
    return (item: T): Promise<O | 'gave-up'> => {
      const { queue } = item.job;
      let lane = byQueue.get(queue);
      if (!lane) {
        lane = createLane<T, O>({
          what: `${what} on ${queue}`,
          send: (items) => send(queue, items),
          worthRetrying: ({ job }) => !job.lost && clock.monotonicMs() < job.leaseEndsAtMs,
          random,
          onTrouble: (error) => onTrouble(what, error),
        });
        byQueue.set(queue, lane);
        lanes.push(lane);
      }
      item.job.ending = true;
      return lane.push(item);
    };
  };

  const ack = perQueue<{ job: JobInHand; result: string | undefined }, AckOutcome>('ack', (queue, items) =>
    broker.ack(
      queue,
      items.map(({ job, result }) => ({ ...job.ref, result })),
    ),
  );
  const fail = perQueue<{ job: JobInHand; failure: Failure }, FailOutcome>('fail', (queue, items) =>
    broker.fail(
      queue,
      items.map(({ job, failure }) => ({ ...job.ref, failure })),
    ),
  );
  const release = perQueue<{ job: JobInHand }, ReleaseOutcome>('release', (queue, items) =>
    broker.release(
      queue,
      items.map(({ job }) => job.ref),
    ),
  );
  return {
    ack: (job, result) => ack({ job, result }),
    fail: (job, failure) => fail({ job, failure }),
    release: (job) => release({ job }),
    close() {
      for (const lane of lanes) lane.close();
    },
  };
}
