import type { Overview } from '@/lib/contract/queue';
import { getSampler } from './sampler';

/** The first page's data, from the same snapshot every viewer gets. Null when it cannot be had: the page then loads it. */
export async function prefetchOverview(): Promise<Overview | null> {
  try {
    return (await getSampler().current()).overview;
  } catch {
    return null;
  }
}
