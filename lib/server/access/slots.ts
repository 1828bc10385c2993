/**
 * So many at once, some waiting, and whoever comes after these is told to come back: work that costs must not pile up. Turns are shared: of
 * those who wait, the one goes first whose network had the fewest turns lately, and the one whose network had the most gives way. So neither one network
 * nor many can keep out somebody who comes from another.
 */
import { RedriveError } from '@/lib/contract/errors';

interface Limits {
  readonly most: number;
  readonly waiting: number;
  /** Longer than that nobody waits. */
  readonly waitMaxMs: number;
  /** What to tell who is turned away. */
  readonly retryAfterMs: number;
}

/** Half of a turn is forgotten after that. */
const HALF_LIFE_MS = 60_000;
/** Networks of one width whose turns are remembered, those who came last. */
const NETWORKS_MAX = 10_000;

/** Turns of each network of one width, fading. */
class RecentTurns {
  private readonly turns = new Map<string, { count: number; atMs: number }>();

  constructor(private readonly nowMs: () => number) {}

  /** Whole turns: a rest of one that is long over counts for nothing. */
  of(network: string): number {
    return Math.round(this.faded(network));
  }

  change(network: string, by: 1 | -1): void {
    const count = Math.max(0, this.faded(network) + by);
    this.turns.delete(network);
    this.turns.set(network, { count, atMs: this.nowMs() });
    if (this.turns.size > NETWORKS_MAX) this.turns.delete(this.turns.keys().next().value ?? '');
  }

  private faded(network: string): number {
    const row = this.turns.get(network);
    return row ? row.count * 0.5 ** ((this.nowMs() - row.atMs) / HALF_LIFE_MS) : 0;
  }
}

interface Waiting {
  readonly networks: readonly string[];
  start(): void;
  /** It had to give way, or waited too long. */
  refuse(): void;
}

export class Slots {
  private running = 0;
  /** In the order in which they came. */
  private readonly queue: Waiting[] = [];
  /** A width each, the widest first; whoever waits has had their turn. */
  private readonly recent: RecentTurns[] = [];

  constructor(
    private readonly limits: Limits,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /**
   * @param networks of who asks, the widest first
   * @throws RedriveError TOO_MANY_ATTEMPTS when it had to give way, and `work` never began; and what `work` throws
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

  /** Whose widest network that they do not share had fewer turns goes first; among equals who came first does, since sorting is stable. */
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
    // Whoever leaves hands the place on, so it is never free in between.
    const [next] = this.inTurn();
    if (next) next.start();
    else this.running -= 1;
  }

  private refusal(): RedriveError {
    return new RedriveError(
      'TOO_MANY_ATTEMPTS',
      'So many people are signing in at this moment that yours would have to wait. Your password was not looked at. Try again in a few seconds.',
      { retryAfterMs: this.limits.retryAfterMs },
    );
  }
}
