/**
 * A share of reads for each user, with all their sessions and tokens: of large reads (searches, counts, files) a few run at a time, a few wait, and users
 * take turns. A read whose client has left ends between two scans of Redis.
 */
import type { ReadKind } from '@/lib/contract/api/describe-route';
import { RedriveError } from '@/lib/contract/redrive-error';
import { ReadShare } from '@/lib/process/read-share';
import { RoundRobin } from '@/lib/process/round-robin';
import { TurnQueue } from '@/lib/process/turn-queue';
import { type Principal, quotaOwnerId } from '../authentication/principal';
import { singleton } from '../singleton';

export const LARGE_READS = {
  /** At once in this process. */
  most: 8,
  /** At once by one user. */
  mostEach: 3,
  /** Of one user, waiting. */
  waitingEach: 30,
  /** Of all users, waiting. */
  waiting: 600,
  waitMaxMs: 8_000,
} as const;
type Limits = { readonly [name in keyof typeof LARGE_READS]: number };

/** AUTH=none: one user, who is everybody. */
const EVERYBODY = '';
const FIRST_GUESS_MS = 500;
/** Before the spread, which makes it twice as long at most. */
const WAIT_ADVISED_MAX_MS = 15_000;

export class LargeReads {
  private readonly order: RoundRobin;
  private readonly turns: TurnQueue<string>;
  /** How long reads that were answered take lately, waiting left out. */
  private usualMs = FIRST_GUESS_MS;

  constructor(
    private readonly limits: Limits = LARGE_READS,
    private readonly nowMs: () => number = () => performance.now(),
    private readonly chance: () => number = Math.random,
  ) {
    this.order = new RoundRobin(nowMs);
    this.turns = new TurnQueue(limits, {
      compare: (a: string, b: string) => this.order.compare(a, b),
      started: (owner: string) => this.order.started(owner),
      ended: (owner: string) => this.order.ended(owner),
      mayStart: (owner: string) => this.order.runningOf(owner) < this.mostOf(owner),
      isFull: (owner: string, theirs: number) => owner !== EVERYBODY && theirs >= limits.waitingEach,
      refusal: (_owner: string, theirs: number) => this.refusal(theirs),
    });
  }

  get running(): number {
    return this.turns.running;
  }

  get waiting(): number {
    return this.turns.waiting;
  }

  /**
   * @param signal aborts when no client waits for the answer
   * @throws RedriveError RATE_LIMITED before the work started, and the reason of the signal
   */
  run<T>(owner: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return this.turns.run(
      owner,
      async () => {
        const share = new ReadShare(owner, signal);
        const startedAtMs = this.nowMs();
        try {
          const answer = await share.run(work);
          // A read whose client left may have ended early: its answer is no answer, and its time would make reads look free.
          signal.throwIfAborted();
          this.usualMs += (this.nowMs() - startedAtMs - this.usualMs) / 8;
          return answer;
        } finally {
          share.end();
        }
      },
      signal,
    );
  }

  private mostOf(owner: string): number {
    return owner === EVERYBODY ? this.limits.most : this.limits.mostEach;
  }

  private refusal(theirs: number): RedriveError {
    const { mostEach } = this.limits;
    const expectedMs = (this.usualMs * (theirs + 1)) / mostEach;
    // Who are refused together must not all come back together: such a burst holds up everybody's requests.
    const spread = 1 + this.chance();
    const retryAfterMs = Math.min(WAIT_ADVISED_MAX_MS, Math.max(1_000, expectedMs)) * spread;
    return new RedriveError(
      'RATE_LIMITED',
      `Too many of your searches and other large reads run at once: the limit is ${mostEach} at a time, and ${theirs} of yours wait. Try again in ${Math.ceil(retryAfterMs / 1_000)} s.`,
      { retryAfterMs },
    );
  }
}

export const getLargeReads = singleton('large-reads', () => new LargeReads());

const ownerOf = (principal: Principal): string => quotaOwnerId(principal) ?? EVERYBODY;

/**
 * Runs what answers a request, as its description says how it reads.
 * @param signal aborts when no client waits for the answer
 * @throws RedriveError RATE_LIMITED, and the reason of the signal
 */
export async function inShare<T>(
  principal: Principal,
  { reads, signal }: { reads: ReadKind; signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  if (reads === 'small') return work();
  if (reads === 'large') return getLargeReads().run(ownerOf(principal), signal, work);
  const share = new ReadShare(ownerOf(principal), signal);
  try {
    return await share.run(work);
  } finally {
    share.answered();
  }
}
