/** Claims jobs of one queue per call. A queue whose claims fail is backed off; the others go on. */
import { randomBytes } from 'node:crypto';
import type { AckItem, AckOutcome } from '@/lib/broker';
import { RECONNECT_POLICY, retryDelayMs } from '@/lib/contract/jobs/retry-policy';
import type { Lease } from '../run/running-job';
import type { AckBatch } from '../settle/ack-queue';
import { type Deadlines, isUnknownOutcome, withCallDeadline } from '../worker-deadline';
import type { ClaimedJob, ClaimResult, Clock, WorkerBroker } from '../worker-types';

export interface Claimed {
  readonly jobs: readonly ClaimedJob[];
  /** What all of them share. */
  readonly lease: Lease;
  readonly more: boolean;
  /** Until something falls due; null: nothing waits. */
  readonly waitMs: number | null;
}

export interface Claimer {
  /**
   * Calls back once, never before it returns. Null: it failed, or is backed off after a failure.
   * @param woken a wake-up of this queue is the reason for the claim
   */
  claim(queue: string, count: number, woken: boolean, done: (claimed: Claimed | null) => void): void;
  /** Time until the queue may be claimed from again; 0: now. */
  backoffLeftMs(queue: string): number;
  /** Gives back what lost replies may have claimed; best effort, once. */
  abandonLostClaims(): Promise<void>;
}

export interface ClaimerDeps {
  readonly broker: Pick<WorkerBroker, 'claim' | 'exchange' | 'abandon'>;
  readonly workerId: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly deadlines: Deadlines;
  leaseMs(): number;
  /** Acks that wait for a call to this queue: they travel with the claim. */
  takeAcks(queue: string, max: number): AckBatch<AckItem, AckOutcome> | null;
  /** Redis's clock minus ours, for show. */
  onClock(offsetMs: number): void;
  onTrouble(where: string, error: unknown): void;
}

/** What one script takes. */
const ACKS_MAX = 200;
/** An abandon walks all claims of the queue, in steps. */
const ABANDON_DEADLINE_MS = 30_000;
interface Trouble {
  failures: number;
  retryAtMs: number;
  /** Calls whose reply was lost: their jobs are leased to us, but we do not know them. */
  readonly lostNonces: Set<string>;
}

export function createClaimer(deps: ClaimerDeps): Claimer {
  const { broker, clock, random } = deps;
  /** Queues without any have no entry. */
  const troubles = new Map<string, Trouble>();
  /** Names each claim, here and among all workers there ever were: chance once, then a number. */
  const mine = randomBytes(6).toString('hex');
  let claims = 0;
  const restsForMs = (queue: string) => {
    const trouble = troubles.get(queue);
    return trouble ? Math.max(0, trouble.retryAtMs - clock.monotonicMs()) : 0;
  };

  /** On the same connection as the claim, so it cannot overtake it. */
  async function abandonLost(queue: string, { lostNonces }: Trouble): Promise<void> {
    for (const nonce of lostNonces) {
      await withCallDeadline(
        broker.abandon(queue, nonce, { unindexed: true }),
        ABANDON_DEADLINE_MS,
        `abandon on ${queue}`,
      );
      lostNonces.delete(nonce);
    }
  }

  function fail(queue: string, error: unknown, lostNonce: string | null): void {
    const trouble = troubles.get(queue) ?? { failures: 0, retryAtMs: 0, lostNonces: new Set() };
    troubles.set(queue, trouble);
    if (lostNonce !== null && isUnknownOutcome(error)) trouble.lostNonces.add(lostNonce);
    trouble.failures += 1;
    trouble.retryAtMs = clock.monotonicMs() + retryDelayMs(trouble.failures, RECONNECT_POLICY, random);
    deps.onTrouble(`claim on ${queue}`, error);
  }

  function send(queue: string, count: number, woken: boolean, done: (claimed: Claimed | null) => void): void {
    const nonce = `${mine}${(claims++).toString(36)}`;
    const leaseMs = deps.leaseMs();
    const options = { worker: deps.workerId, count, leaseMs, nonce, unindexed: true, woken };
    const acks = deps.takeAcks(queue, ACKS_MAX);
    const sentAtMs = clock.monotonicMs();
    const claimed = (result: ClaimResult): void => {
      const trouble = troubles.get(queue);
      if (trouble) trouble.failures = 0;
      deps.onClock(result.now - clock.wallMs());
      done({
        jobs: result.jobs,
        lease: {
          claimedAt: result.now,
          takenAtMs: clock.monotonicMs(),
          leaseEndsAtMs: sentAtMs + leaseMs,
        },
        more: result.more && !result.paused,
        waitMs: result.nextAt === null ? null : Math.max(0, result.nextAt - result.now),
      });
    };
    const failed = (error: unknown): void => {
      acks?.fail(error);
      fail(queue, error, nonce);
      done(null);
    };
    const what = `claim on ${queue}`;
    if (acks)
      deps.deadlines.limit(
        broker.exchange(queue, acks.items, options),
        what,
        (result) => {
          acks.succeed(result.acked);
          claimed(result.claimed);
        },
        failed,
      );
    else deps.deadlines.limit(broker.claim(queue, options), what, claimed, failed);
  }

  return {
    backoffLeftMs: restsForMs,
    claim(queue, count, woken, done) {
      const trouble = troubles.get(queue);
      if (!trouble) return send(queue, count, woken, done);
      if (restsForMs(queue) > 0) return queueMicrotask(() => done(null));
      abandonLost(queue, trouble).then(
        () => send(queue, count, woken, done),
        (error: unknown) => {
          fail(queue, error, null);
          done(null);
        },
      );
    },
    async abandonLostClaims() {
      await Promise.allSettled([...troubles].map(([queue, trouble]) => abandonLost(queue, trouble)));
    },
  };
}
