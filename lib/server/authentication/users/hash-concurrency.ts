/**
 * Limits how many password hashes run at once and how many wait. The waiting request from the network with the fewest recent turns starts
 * first; beyond the limit, the one from the network with the most is refused. So no network can lock out users of another.
 */
import { LRUCache } from 'lru-cache';
import { RedriveError } from '@/lib/contract/redrive-error';

interface Limits {
  readonly most: number;
  readonly waiting: number;
  /** A request that waits longer is refused. */
  readonly waitMaxMs: number;
  /** For the refusal. */
  readonly retryAfterMs: number;
}

/** A turn counts half after that. */
const HALF_LIFE_MS = 60_000;
/** Remembered networks of one width; the oldest are forgotten first. */
const NETWORKS_MAX = 10_000;

/** Turns of each network of one width, fading. */
class RecentTurns {
  private readonly turns = new LRUCache<string, { count: number; atMs: number }>({ max: NETWORKS_MAX });

  constructor(private readonly nowMs: () => number) {}

  /** Whole turns: fractions do not count. */
  of(network: string): number {
    return Math.round(this.faded(network));
  }

  change(network: string, by: 1 | -1): void {
    const count = Math.max(0, this.faded(network) + by);
    this.turns.set(network, { count, atMs: this.nowMs() });
  }

  private faded(network: string): number {
    const row = this.turns.peek(network);
    return row ? row.count * 0.5 ** ((this.nowMs() - row.atMs) / HALF_LIFE_MS) : 0;
  }
}

interface Waiting {
  readonly networks: readonly string[];
  start(): void;
  /** Refuses it: others go first, or it waited too long. */
  refuse(): void;
}

export class HashConcurrency {
  private running = 0;
  /** In order of arrival. */
  private readonly queue: Waiting[] = [];
  /** One a network width, the widest first; a waiting request counts as a turn. */
  private readonly recent: RecentTurns[] = [];

  constructor(
    private readonly limits: Limits,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /**
   * @param networks of the request, the widest first
   * @throws RedriveError TOO_MANY_ATTEMPTS when refused, before `work` started; and what `work` throws
   */
  async run<T>(networks: readonly string[], work: () => Promise<T>): Promise<T> {
    await this.enter(networks);
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  private async enter(networks: readonly string[]): Promise<void> {
    this.count(networks, 1);
    if (this.running < this.limits.most) {
      this.running += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => waiting.refuse(), this.limits.waitMaxMs).unref();
      const waiting: Waiting = {
        networks,
        start: () => {
          clearTimeout(timer);
          this.remove(waiting);
          resolve();
        },
        refuse: () => {
          clearTimeout(timer);
          this.remove(waiting);
          this.count(networks, -1);
          reject(this.refusal());
        },
      };
      this.queue.push(waiting);
      if (this.queue.length > this.limits.waiting) this.inTurn().at(-1)?.refuse();
    });
  }

  /** Fewer turns of the widest network not shared go first; among equals the earlier request does, since sorting is stable. */
  private inTurn(): Waiting[] {
    return [...this.queue].sort((a, b) => {
      const i = a.networks.findIndex((network, level) => network !== b.networks[level]);
      const [mine, theirs] = [a.networks[i], b.networks[i]];
      return mine === undefined || theirs === undefined
        ? 0
        : this.level(i).of(mine) - this.level(i).of(theirs);
    });
  }

  private remove(waiting: Waiting): void {
    const at = this.queue.indexOf(waiting);
    if (at >= 0) this.queue.splice(at, 1);
  }

  private level(i: number): RecentTurns {
    this.recent[i] ??= new RecentTurns(this.nowMs);
    return this.recent[i];
  }

  private count(networks: readonly string[], by: 1 | -1): void {
    for (const [i, network] of networks.entries()) this.level(i).change(network, by);
  }

  private leave(): void {
    // The next one starts here, so that no newcomer gets in between.
    const [next] = this.inTurn();
    if (next) next.start();
    else this.running -= 1;
  }

  private refusal(): RedriveError {
    return new RedriveError(
      'TOO_MANY_ATTEMPTS',
      'Too many users are signing in right now. Your password was not checked. Try again in a few seconds.',
      { retryAfterMs: this.limits.retryAfterMs },
    );
  }
}
