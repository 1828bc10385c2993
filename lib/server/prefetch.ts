import type { Overview } from '@/lib/contract/queue';
import { type Principal, withinOf } from './access/principal';
import { getSampler } from './sampler';
import { visibleFrame } from './visible';

/**
 * The first page's data, from the same snapshot every viewer gets, cut to what this one may see. Null when it cannot be had, or there
 * is nothing to see: the page then loads it, and is told why.
 */
export async function prefetchOverview(principal: Principal | null): Promise<Overview | null> {
  const within = principal === null ? [] : withinOf(principal, 'view');
  if (within.length === 0) return null;
  try {
    return visibleFrame(await getSampler().current(), within).overview;
  } catch {
    return null;
  }
}
