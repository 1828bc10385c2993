/** Claims jobs of one queue per call. A queue whose claims fail is backed off; the others go on. */
import { randomBytes } from 'node:crypto';
import type { AckItem, AckOutcome, Waiter } from '@/lib/broker/application';
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
  /**
   * A claim that Redis runs in the moment a wait ends; null where it cannot, and for a wait so long that little of the lease would be
   * known to be left. `collect` it after the wait, which never fails: `undefined` says that nothing was asked, so claim as usual.
   */
  claimBehindWait(queue: string, count: number, timeoutMs: number): ClaimBehind | null;
  /** Time until the queue may be claimed from again; 0: now. */
  backoffLeftMs(queue: string): number;
  /** Gives back what lost replies may have claimed; best effort, once. */
  abandonLostClaims(): Promise<void>;
}

export interface ClaimBehind {
  readonly send: NonNullable<Parameters<Waiter['wait']>[2]>;
  /** @param isInterrupted the wait was given up: a claim without an answer is then no trouble */
  collect(isInterrupted: boolean): Promise<Claimed | null | undefined>;
}

export interface ClaimerDeps {
  readonly broker: Pick<WorkerBroker, 'claim' | 'exchange' | 'abandon' | 'claimBehindWait'>;
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
/** The lease of a claim behind a wait counts from the wait's start here: the wait may take this share of it. */
const WAIT_SHARE = 1 / 3;
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

  function troubleOf(queue: string): Trouble {
    const trouble = troubles.get(queue) ?? { failures: 0, retryAtMs: 0, lostNonces: new Set() };
    troubles.set(queue, trouble);
    return trouble;
  }
  const rememberLost = (queue: string, nonce: string) => troubleOf(queue).lostNonces.add(nonce);

  function fail(queue: string, error: unknown, lostNonce: string | null): void {
    const trouble = troubleOf(queue);
    if (lostNonce !== null && isUnknownOutcome(error)) trouble.lostNonces.add(lostNonce);
    trouble.failures += 1;
    trouble.retryAtMs = clock.monotonicMs() + retryDelayMs(trouble.failures, RECONNECT_POLICY, random);
    deps.onTrouble(`claim on ${queue}`, error);
  }

  const nextNonce = () => `${mine}${(claims++).toString(36)}`;

  function read(queue: string, result: ClaimResult, leaseEndsAtMs: number): Claimed {
    const trouble = troubles.get(queue);
    if (trouble) trouble.failures = 0;
    deps.onClock(result.now - clock.wallMs());
    return {
      jobs: result.jobs,
      lease: { claimedAt: result.now, takenAtMs: clock.monotonicMs(), leaseEndsAtMs },
      more: result.more && !result.paused,
      waitMs: result.nextAt === null ? null : Math.max(0, result.nextAt - result.now),
    };
  }

  function send(queue: string, count: number, woken: boolean, done: (claimed: Claimed | null) => void): void {
    const nonce = nextNonce();
    const leaseMs = deps.leaseMs();
    const options = { worker: deps.workerId, count, leaseMs, nonce, unindexed: true, woken };
    const acks = deps.takeAcks(queue, ACKS_MAX);
    const sentAtMs = clock.monotonicMs();
    const claimed = (result: ClaimResult): void => done(read(queue, result, sentAtMs + leaseMs));
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
    claimBehindWait(queue, count, timeoutMs) {
      const leaseMs = deps.leaseMs();
      const trouble = troubles.get(queue);
      if (trouble && (trouble.failures > 0 || trouble.lostNonces.size > 0)) return null;
      if (timeoutMs > leaseMs * WAIT_SHARE) return null;
      const nonce = nextNonce();
      const options = { worker: deps.workerId, count, leaseMs, nonce, unindexed: true };
      const behind = broker.claimBehindWait(queue, options);
      if (!behind) return null;
      const sentAtMs = clock.monotonicMs();
      return {
        send: behind.send,
        collect: (isInterrupted) =>
          new Promise((done) => {
            const claimed = (result: ClaimResult | null) =>
              done(result ? read(queue, result, sentAtMs + leaseMs) : undefined);
            const failed = (error: unknown): void => {
              if (isInterrupted && isUnknownOutcome(error)) rememberLost(queue, nonce);
              else fail(queue, error, nonce);
              done(null);
            };
            deps.deadlines.limit(behind.result(), `claim on ${queue}`, claimed, failed);
          }),
      };
    },
    async abandonLostClaims() {
      await Promise.allSettled([...troubles].map(([queue, trouble]) => abandonLost(queue, trouble)));
    },
  };
}
