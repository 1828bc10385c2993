/**
 * The token bucket of an operation's pace. What was taken is not counted here but read off: `moved` of the jobs themselves is the
 * truth, so a runner that died between moving and writing its record has still paid for what it moved. Pure.
 */
import type { OperationControl } from '@/lib/contract/verbs';

export type Bucket = OperationControl['bucket'];

/** So many seconds of its rate an operation may move at once: enough to ride out a slow answer, too little to be a burst. */
const BURST_SECONDS = 0.25;
/** Chunks of less than this many seconds' worth are not worth a round trip each. */
const CHUNK_SECONDS = 0.05;
const WAIT_MAX_MS = 1_000;

/** In any stretch of t seconds at most this many and `ratePerSecond` × t are moved. */
export const burstOf = (ratePerSecond: number): number => Math.max(1, ratePerSecond * BURST_SECONDS);

/** A bucket that starts now: empty but for one, so that neither a start nor a change of pace is a burst. */
export const freshBucket = (now: number, moved: number): Bucket => ({ tokens: 1, at: now, moved });

/** The bucket at `now`, when `moved` had been moved in all. A clock that goes back adds nothing. */
export function refill(bucket: Bucket, ratePerSecond: number, now: number, moved: number): Bucket {
  const earned = (Math.max(0, now - bucket.at) * ratePerSecond) / 1_000;
  const tokens = bucket.tokens - (moved - bucket.moved) + earned;
  // One that went far back (another machine's) would earn nothing until it has caught up: it starts from there.
  const at = bucket.at - now > WAIT_MAX_MS ? now : Math.max(now, bucket.at);
  return { tokens: Math.min(burstOf(ratePerSecond), tokens), at, moved };
}

export type Allowance = { readonly atMost: number } | { readonly waitMs: number };

/** How many may go now, or how long to wait for the next worthwhile chunk. */
export function allowance(bucket: Bucket, ratePerSecond: number): Allowance {
  const worthwhile = Math.min(Math.floor(burstOf(ratePerSecond)), Math.max(1, ratePerSecond * CHUNK_SECONDS));
  if (bucket.tokens >= worthwhile) return { atMost: Math.floor(bucket.tokens) };
  const waitMs = Math.ceil(((worthwhile - bucket.tokens) / ratePerSecond) * 1_000);
  return { waitMs: Math.min(WAIT_MAX_MS, Math.max(1, waitMs)) };
}
