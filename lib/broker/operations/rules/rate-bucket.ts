/** The token bucket of a rate. The count of moved jobs (`moved`) pays the tokens, so a runner that dies has paid for its jobs. Pure. */

import type { OperationControl } from '@/lib/contract/operations/operation-record';
import { TokenBucket } from '@/lib/process/token-bucket';

type Bucket = OperationControl['bucket'];

/** The seconds' worth of jobs moved at once: enough to bridge a slow reply, too little to be a burst. */
const BURST_SECONDS = 0.25;
/** A smaller chunk is not worth a round trip. */
const CHUNK_SECONDS = 0.05;
const WAIT_MAX_MS = 1_000;

/** In any stretch of t seconds at most `burstSize` + `ratePerSecond` × t jobs are moved. */
export const burstSize = (ratePerSecond: number): number => Math.max(1, ratePerSecond * BURST_SECONDS);

/** A bucket that starts now with one token, so that neither a start nor a change of rate is a burst. */
export const freshBucket = (now: number, moved: number): Bucket => ({ tokens: 1, at: now, moved });

/** The bucket at `now`, when `moved` jobs had been moved in all. */
export function refillBucket(stored: Bucket, ratePerSecond: number, now: number, moved: number): Bucket {
  const bucket = new TokenBucket(stored.tokens - (moved - stored.moved), stored.at);
  bucket.refill({ perSecond: ratePerSecond, burst: burstSize(ratePerSecond) }, now);
  return { tokens: bucket.tokens, at: bucket.atMs, moved };
}

type Allowance = { readonly atMost: number } | { readonly waitMs: number };

/** How many jobs may be moved now, or how long to wait for the next worthwhile chunk. */
export function allowance({ tokens, at }: Bucket, ratePerSecond: number): Allowance {
  const worthwhile = Math.min(
    Math.floor(burstSize(ratePerSecond)),
    Math.max(1, ratePerSecond * CHUNK_SECONDS),
  );
  if (tokens >= worthwhile) return { atMost: Math.floor(tokens) };
  const waitMs = new TokenBucket(tokens, at).waitMs(ratePerSecond, worthwhile);
  return { waitMs: Math.min(WAIT_MAX_MS, Math.max(1, waitMs)) };
}
