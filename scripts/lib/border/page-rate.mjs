/**
 * How often one place may ask for pages. Rendering one is the dearest thing that somebody who is not signed in can have done, so it is
 * counted before the framework hears of it. The API has limits of its own, by person: lib/server/rate-limits.ts.
 */
import { placeOf } from './address.mjs';
import { isProbe } from './host.mjs';
import { pathOf } from './target.mjs';

/** Points come back this fast, up to so many. */
export const PAGE_POINTS = { perSecond: 30, most: 300 };
/** A whole page; what the router fetches when a page is changed, or may be, is one point. */
export const WHOLE_PAGE_POINTS = 3;
/** So many places that asked last are remembered. Who is forgotten begins anew. */
export const PLACES_MAX = 20_000;

export class PageRate {
  /** @type {Map<string, {points: number, atMs: number}>} */
  #places = new Map();

  /** @param {number} factor multiplies both; 0: no limit @param {() => number} nowMs */
  constructor(factor, nowMs = () => performance.now()) {
    this.factor = factor;
    this.nowMs = nowMs;
  }

  get size() {
    return this.#places.size;
  }

  /**
   * How many ms to wait before this is answered; 0: go on.
   * @param {Pick<import('node:http').IncomingMessage, 'url' | 'headers'>} request @param {string} address
   */
  take({ url = '/', headers }, address) {
    const path = pathOf(url);
    // With a slash at the end it is no route: the framework leads to the address without.
    const isApi = path.startsWith('/api/') && !path.endsWith('/');
    if (this.factor === 0 || isApi || path.startsWith('/_next/') || isProbe(path)) return 0;
    const cost = headers.rsc === undefined ? WHOLE_PAGE_POINTS : 1;
    const perMs = (PAGE_POINTS.perSecond * this.factor) / 1_000;
    const most = PAGE_POINTS.most * this.factor;
    const place = placeOf(address);
    const nowMs = this.nowMs();
    const before = this.#places.get(place);
    const points = before ? Math.min(most, before.points + (nowMs - before.atMs) * perMs) : most;
    const enough = points >= cost;
    // Last in the map is who asked last, so that first is who is forgotten first.
    this.#places.delete(place);
    this.#places.set(place, { points: enough ? points - cost : points, atMs: nowMs });
    if (this.#places.size > PLACES_MAX) this.#places.delete(this.#places.keys().next().value ?? '');
    return enough ? 0 : Math.ceil((cost - points) / perMs);
  }
}
