/** What a bucket earns, and how many tokens it holds at most. */
interface TokenRate {
  readonly perSecond: number;
  readonly burst: number;
}

/** A clock that went back further (after a failover, say) is followed: the bucket would earn nothing until it has caught up. */
const CLOCK_BACK_MAX_MS = 1_000;

/** A token bucket. Its rate comes with each call, so that a change of rate takes effect at once. */
export class TokenBucket {
  constructor(
    public tokens: number,
    public atMs: number,
  ) {}

  /** Adds the tokens earned since the last call. A clock that goes back adds none. */
  refill({ perSecond, burst }: TokenRate, nowMs: number): void {
    const earned = (Math.max(0, nowMs - this.atMs) * perSecond) / 1_000;
    this.tokens = Math.min(burst, this.tokens + earned);
    this.atMs = this.atMs - nowMs > CLOCK_BACK_MAX_MS ? nowMs : Math.max(nowMs, this.atMs);
  }

  /** How many ms until it holds `tokens`; 0: it does. */
  waitMs(perSecond: number, tokens: number): number {
    // The millionth is what sums of fractions are off by.
    return this.tokens >= tokens ? 0 : Math.ceil((tokens - this.tokens) / (perSecond / 1_000) - 1e-6);
  }

  /** Takes `cost` tokens, if it holds as many. How many ms to wait otherwise; 0: they are taken. */
  take(rate: TokenRate, nowMs: number, cost = 1): number {
    this.refill(rate, nowMs);
    const waitMs = this.waitMs(rate.perSecond, cost);
    if (waitMs === 0) this.tokens -= cost;
    return waitMs;
  }
}
