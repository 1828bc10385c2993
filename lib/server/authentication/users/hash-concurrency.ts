/**
 * Limits how many password hashes run at once and how many wait. The waiting request from the network with the fewest recent turns starts
 * first; beyond the limit, the one from the network with the most is refused. So no network can lock out users of another.
 */
import { LRUCache } from 'lru-cache';
import { RedriveError } from '@/lib/contract/redrive-error';
import { type TurnLimits, TurnQueue } from '@/lib/process/turn-queue';

interface Limits extends TurnLimits {
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

type Networks = readonly string[];

export class HashConcurrency {
  /** One a network width, the widest first; a waiting request counts as a turn. */
  private readonly recent: RecentTurns[] = [];
  private readonly turns: TurnQueue<Networks>;

  constructor(
    limits: Limits,
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    this.turns = new TurnQueue(limits, {
      entered: (networks: Networks) => this.count(networks, 1),
      gaveUp: (networks: Networks) => this.count(networks, -1),
      compare: (a: Networks, b: Networks) => this.compare(a, b),
      refusal: () =>
        new RedriveError(
          'TOO_MANY_ATTEMPTS',
          'Too many users are signing in right now. Your password was not checked. Try again in a few seconds.',
          { retryAfterMs: limits.retryAfterMs },
        ),
    });
  }

  /**
   * @param networks of the request, the widest first
   * @throws RedriveError TOO_MANY_ATTEMPTS when refused, before `work` started; and what `work` throws
   */
  run<T>(networks: Networks, work: () => Promise<T>): Promise<T> {
    return this.turns.run(networks, work);
  }

  /** Fewer turns of the widest network not shared go first. */
  private compare(a: Networks, b: Networks): number {
    const i = a.findIndex((network, level) => network !== b[level]);
    const [mine, theirs] = [a[i], b[i]];
    return mine === undefined || theirs === undefined ? 0 : this.level(i).of(mine) - this.level(i).of(theirs);
  }

  private level(i: number): RecentTurns {
    this.recent[i] ??= new RecentTurns(this.nowMs);
    return this.recent[i];
  }

  private count(networks: Networks, by: 1 | -1): void {
    for (const [i, network] of networks.entries()) this.level(i).change(network, by);
  }
}
