import type { Frame } from '@/lib/contract/live/live-frame';
import { type Principal, scopeOf } from '../authentication/principal';
import { getSampler } from './sampler';
import { visibleFrame } from './visible-frame';

/**
 * A page's first data, limited to what the viewer may see. Null without data, or without a permission: the page then asks the API, which
 * says why.
 *
 * @param watched names of queues that the page shows every number of
 */
export async function prefetchSnapshots(
  principal: Principal | null,
  watched: readonly string[] = [],
): Promise<Frame | null> {
  const within = principal === null ? [] : scopeOf(principal, 'view');
  if (within.length === 0) return null;
  try {
    return visibleFrame(await getSampler().current(), within, watched);
  } catch {
    return null;
  }
}
