/**
 * How often one network may ask for pages. Rendering a page is the most expensive work that an anonymous request can cause, so it is
 * counted before Next sees the request. The API has its own limits by user: request-rate-limits.ts.
 */
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { TokenBucket } from '@/lib/process/token-bucket';
import { networkOf } from '../client-network';
import { isProbe, pathOf } from './request-target';

/** Points return at this rate, up to `most`. */
export const PAGE_POINTS = { perSecond: 30, most: 300 };
/** Of a whole page; a request of the router costs one point. */
export const WHOLE_PAGE_POINTS = 3;
/** Networks that are remembered, the latest first. An evicted network starts full. */
export const NETWORKS_MAX = 20_000;

export class PageRate {
  private readonly networks = new LRUCache<string, TokenBucket>({ max: NETWORKS_MAX });

  constructor(
    /** Multiplies rate and burst; 0: no limit. */
    private readonly factor: number,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  get size(): number {
    return this.networks.size;
  }

  /** How many ms to wait before this is answered; 0: answer it. */
  take({ url = '/', headers }: Pick<IncomingMessage, 'url' | 'headers'>, address: string): number {
    const path = pathOf(url);
    // With a slash at the end it is no route: Next redirects to the address without.
    const isApi = path.startsWith('/api/') && !path.endsWith('/');
    if (this.factor === 0 || isApi || path.startsWith('/_next/') || isProbe(path)) return 0;
    const cost = headers.rsc === undefined ? WHOLE_PAGE_POINTS : 1;
    const perSecond = PAGE_POINTS.perSecond * this.factor;
    const burst = PAGE_POINTS.most * this.factor;
    const network = networkOf(address);
    const nowMs = this.nowMs();
    const bucket = this.networks.get(network) ?? new TokenBucket(burst, nowMs);
    this.networks.set(network, bucket);
    return bucket.take({ perSecond, burst }, nowMs, cost);
  }
}
