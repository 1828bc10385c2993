/**
 * Rate limits by user, with all their tokens, and without a session by network. Generous: they stop runaway scripts, and keep one user's load
 * from others. The class belongs to the route, so another spelling of an address does not avoid it.
 */
import { LRUCache } from 'lru-cache';
import { RedriveError } from '@/lib/contract/redrive-error';
import { TokenBucket } from '@/lib/process/token-bucket';
import { readEnv } from '../environment';
import { singleton } from '../singleton';
import { addressOf, networkOf } from './client-network';

/** `work`: requests of programs (enqueue, claim, acknowledge). `signed-out`: refused without a session. */
export const RATES = {
  read: { perSecond: 100, burst: 400 },
  search: { perSecond: 30, burst: 150 },
  /** Each may read thousands of audit events. */
  audit: { perSecond: 3, burst: 12 },
  /** Each is an audit event, and every user may: 60 an hour. */
  'saved-search': { perSecond: 1 / 60, burst: 60 },
  change: { perSecond: 50, burst: 200 },
  work: { perSecond: 1_000, burst: 3_000 },
  'sign-in': { perSecond: 5, burst: 30 },
  'signed-out': { perSecond: 20, burst: 100 },
} as const;
export type RateClass = keyof typeof RATES;

/** Remembered users or networks, the latest first. Evicted buckets start full. */
export const BUCKETS_MAX = 20_000;

/** Token buckets by rate class and owner, a user or a network. */
export class Buckets {
  private readonly buckets = new LRUCache<string, TokenBucket>({ max: BUCKETS_MAX });

  constructor(
    /** Multiplies every rate and burst. */
    private readonly factor: () => number,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  get size(): number {
    return this.buckets.size;
  }

  /** Takes one token. How many ms to wait when there is none; 0: continue. */
  take(rate: RateClass, owner: string): number {
    const factor = this.factor();
    const perSecond = RATES[rate].perSecond * factor;
    const burst = Math.max(1, RATES[rate].burst * factor);
    const key = `${rate} ${owner}`;
    const nowMs = this.nowMs();
    const bucket = this.buckets.get(key) ?? new TokenBucket(burst, nowMs);
    this.buckets.set(key, bucket);
    return bucket.take({ perSecond, burst }, nowMs);
  }
}

const getBuckets = singleton(
  'rate-limits',
  () => new Buckets(() => readEnv(process.env).REDRIVE_RATE_FACTOR),
);
/** Apart from users: networks must not evict them, since addresses cost nothing. */
const getNetworkBuckets = singleton(
  'network-rate-limits',
  () => new Buckets(() => readEnv(process.env).REDRIVE_RATE_FACTOR),
);

/**
 * @param owner who pays, see `quotaOwnerId`; null: there is one user, without limits
 * @throws RedriveError RATE_LIMITED
 */
export function limitRate(owner: string | null, request: Request, rate: RateClass | undefined): void {
  if (owner !== null) take(getBuckets(), rate ?? rateOf(request), owner);
}

/** For a request without a session: counted by network. @throws RedriveError RATE_LIMITED */
export function limitNetwork(request: Request, rate: RateClass | undefined): void {
  if (readEnv(process.env).AUTH.includes('none')) return;
  take(getNetworkBuckets(), rate ?? rateOf(request), networkOf(addressOf(request)));
}

const rateOf = (request: Request): RateClass =>
  request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'change';

function take(buckets: Buckets, rate: RateClass, owner: string): void {
  const waitMs = buckets.take(rate, owner);
  if (waitMs === 0) return;
  throw new RedriveError(
    'RATE_LIMITED',
    `Too many requests: the limit is ${rateText(RATES[rate].perSecond)}. Wait a moment and try again. Nothing was changed.`,
    { retryAfterMs: waitMs },
  );
}

const rateText = (perSecond: number): string =>
  perSecond < 1 ? `${Math.round(perSecond * 3_600)} an hour` : `${perSecond} a second`;
