/** Claims jobs of one queue per call. A queue whose claims fail is backed off; the others go on. */
import { randomBytes } from 'node:crypto';
import type { AckItem, AckOutcome } from '@/lib/broker';
import { RECONNECT_POLICY, retryDelayMs } from '@/lib/contract/jobs/retry-policy';
import type { Lease } from '../run/running-job';
import type { AckBatch } from '../settle/ack-queue';
import { CALL_DEADLINE_MS, isUnknownOutcome, withCallDeadline } from '../worker-deadline';
import type { ClaimedJob, Clock, WorkerBroker } from '../worker-types';

export interface Claimer {
  /** Null: it failed, or is backed off after a failure. `waitMs`: until something falls due; null: nothing waits. */
  claim(
    queue: string,
    count: number,
  ): Promise<{ jobs: readonly ClaimedJob[]; more: boolean; waitMs: number | null } | null>;
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
  leaseMs(): number;
  /** Acks that wait for a call to this queue: they travel with the claim. */
  takeAcks(queue: string, max: number): AckBatch<AckItem, AckOutcome> | null;
  onClaimed(job: ClaimedJob, lease: Lease): void;
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
  lostNonces: Set<string>;
}

export function createClaimer(deps: ClaimerDeps): Claimer {
  const { broker, clock, random } = deps;
  const troubles = new Map<string, Trouble>();
  /** Names each claim, here and among all workers there ever were: chance once, then a number. */
  const mine = randomBytes(6).toString('hex');
  let claims = 0;
  const troubleOf = (queue: string): Trouble => {
    const trouble = troubles.get(queue) ?? { failures: 0, retryAtMs: 0, lostNonces: new Set() };
    troubles.set(queue, trouble);
    return trouble;
  };
  const restsForMs = (queue: string) =>
    Math.max(0, (troubles.get(queue)?.retryAtMs ?? 0) - clock.monotonicMs());

  /** On the same connection as the claim, so it cannot overtake it. */
  async function abandonLost(queue: string, trouble: Trouble): Promise<void> {
    for (const nonce of trouble.lostNonces) {
      await withCallDeadline(
        broker.abandon(queue, nonce, { unindexed: true }),
        ABANDON_DEADLINE_MS,
        `abandon on ${queue}`,
      );
      trouble.lostNonces.delete(nonce);
    }
  }

  return {
    backoffLeftMs: restsForMs,
    async claim(queue, count) {
      if (restsForMs(queue) > 0) return null;
      const trouble = troubleOf(queue);
      const leaseMs = deps.leaseMs();
      const nonce = `${mine}${(claims++).toString(36)}`;
      let asked = false;
      let batch: AckBatch<AckItem, AckOutcome> | null = null;
      try {
        await abandonLost(queue, trouble);
        const sentAtMs = clock.monotonicMs();
        asked = true;
        const options = { worker: deps.workerId, count, leaseMs, nonce, unindexed: true };
        batch = deps.takeAcks(queue, ACKS_MAX);
        const call = batch
          ? broker.exchange(queue, batch.items, options)
          : broker.claim(queue, options).then((claimed) => ({ acked: [], claimed }));
        const { acked, claimed: result } = await withCallDeadline(
          call,
          CALL_DEADLINE_MS,
          `claim on ${queue}`,
        );
        batch?.succeed(acked);
        trouble.failures = 0;
        deps.onClock(result.now - clock.wallMs());
        for (const job of result.jobs)
          deps.onClaimed(job, { claimedAt: result.now, leaseEndsAtMs: sentAtMs + leaseMs });
        const waitMs = result.nextAt === null ? null : Math.max(0, result.nextAt - result.now);
        return { jobs: result.jobs, more: result.more && !result.paused, waitMs };
      } catch (error) {
        batch?.fail(error);
        if (asked && isUnknownOutcome(error)) trouble.lostNonces.add(nonce);
        trouble.failures += 1;
        trouble.retryAtMs = clock.monotonicMs() + retryDelayMs(trouble.failures, RECONNECT_POLICY, random);
        deps.onTrouble(`claim on ${queue}`, error);
        return null;
      }
    },
    async abandonLostClaims() {
      await Promise.allSettled([...troubles].map(([queue, trouble]) => abandonLost(queue, trouble)));
    },
  };
}
