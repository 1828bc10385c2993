import type { Overview } from '@/lib/contract/queues/queue-schemas';
import { type Principal, scopeOf } from '../authorization/principal';
import { visibleFrame } from '../authorization/visible-frame';
import { getSampler } from './sampler';

/**
 * The first page's data, limited to what the viewer may see. Null without data, or without a permission: the page then asks the API, which
 * says why.
 */
export async function prefetchOverview(principal: Principal | null): Promise<Overview | null> {
  const within = principal === null ? [] : scopeOf(principal, 'view');
  if (within.length === 0) return null;
  try {
    return visibleFrame(await getSampler().current(), within).overview;
  } catch {
    return null;
  }
}
