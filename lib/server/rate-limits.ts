/**
 * How often one person may ask, with all their tokens; and without a session, one place. Generous: nobody at the console meets it, also with many tabs
 * open. It stops a script gone wild, and one person's load from becoming everybody's. The class goes with the route, never with the address it was asked by, so that another
 * spelling of an address is no way around.
 */
import { RedriveError } from '@/lib/contract/errors';
import { holderOf, type Principal } from './access/principal';
import { addressOf, placeOf } from './border';
import { readEnv } from './env';
import { singleton } from './singleton';

/** `work` is what programs do all day: enqueue, claim, acknowledge. `signed-out`: refused for want of a session. */
export const RATES = {
  read: { perSecond: 100, burst: 400 },
  search: { perSecond: 30, burst: 150 },
  /** Each may look through thousands of entries. */
  audit: { perSecond: 3, burst: 12 },
  /** Each is an entry of the audit log, and anybody may: 60 an hour. */
  'saved-search': { perSecond: 1 / 60, burst: 60 },
  change: { perSecond: 50, burst: 200 },
  work: { perSecond: 1_000, burst: 3_000 },
  'sign-in': { perSecond: 5, burst: 30 },
  'signed-out': { perSecond: 20, burst: 100 },
} as const;
export type RateClass = keyof typeof RATES;

/** So many who asked last are remembered. Who is forgotten begins anew with a full bucket. */
export const BUCKETS_MAX = 20_000;

interface Bucket {
  tokens: number;
  atMs: number;
}

export class Buckets {
  private readonly buckets = new Map<string, Bucket>();

  constructor(
    /** Multiplies every rate and burst. */
    private readonly factor: () => number,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  get size(): number {
    return this.buckets.size;
  }

  /** Takes one. How many ms to wait when there is none; 0: go on. */
  take(rate: RateClass, who: string): number {
    const factor = this.factor();
    const perMs = (RATES[rate].perSecond * factor) / 1_000;
    const burst = Math.max(1, RATES[rate].burst * factor);
    const key = `${rate} ${who}`;
    const nowMs = this.nowMs();
    const before = this.buckets.get(key);
    const filled = before ? Math.min(burst, before.tokens + (nowMs - before.atMs) * perMs) : burst;
    const tokens = filled >= 1 ? filled - 1 : filled;
    // Last in the map is who asked last, so that first is who is forgotten first.
    this.buckets.delete(key);
    this.buckets.set(key, { tokens, atMs: nowMs });
    if (this.buckets.size > BUCKETS_MAX) this.forgetOldest();
    return filled >= 1 ? 0 : Math.ceil((1 - filled) / perMs);
  }

  private forgetOldest(): void {
    for (const key of this.buckets.keys()) {
      this.buckets.delete(key);
      return;
    }
  }
}

const getBuckets = singleton(
  'rate-limits',
  () => new Buckets(() => readEnv(process.env).REDRIVE_RATE_FACTOR),
);
/** Apart from those of principals: addresses cost nothing, and must not push out the buckets of users. */
const getPlaceBuckets = singleton(
  'place-rate-limits',
  () => new Buckets(() => readEnv(process.env).REDRIVE_RATE_FACTOR),
);

/**
 * With AUTH=none everybody is one person, who sits at this machine: there is nothing to divide.
 * @throws RedriveError RATE_LIMITED
 */
export function limitRate(principal: Principal, request: Request, rate: RateClass | undefined): void {
  const holder = holderOf(principal);
  if (holder !== null) take(getBuckets(), rate ?? rateOf(request), holder);
}

/** For a request that is answered without a session: counted by where it comes from. @throws RedriveError RATE_LIMITED */
export function limitPlace(request: Request, rate: RateClass | undefined): void {
  if (readEnv(process.env).AUTH.includes('none')) return;
  take(getPlaceBuckets(), rate ?? rateOf(request), placeOf(addressOf(request)));
}

const rateOf = (request: Request): RateClass =>
  request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'change';

function take(buckets: Buckets, rate: RateClass, who: string): void {
  const waitMs = buckets.take(rate, who);
  if (waitMs === 0) return;
  throw new RedriveError(
    'RATE_LIMITED',
    `Too many requests of this kind (${rateText(RATES[rate].perSecond)} go through). Wait a moment and try again; nothing was changed.`,
    { retryAfterMs: waitMs },
  );
}

const rateText = (perSecond: number): string =>
  perSecond < 1 ? `${Math.round(perSecond * 3_600)} an hour` : `${perSecond} a second`;
