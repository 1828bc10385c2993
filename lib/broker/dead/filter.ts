/** A dead-letter filter in terms of the index: which facet drives, which are probed, between which times. */
import type { DeadFilter } from '@/lib/contract/dead';

export interface DeadQuery {
  /** "facet=value" terms; all must hold. */
  readonly terms: readonly string[];
  readonly since: number;
  readonly until: number;
}

/** Ages count back from `now`; `cutoff` freezes the set: nothing that died after it belongs. */
export function deadQuery(filter: DeadFilter, now: number, cutoff: number = now): DeadQuery {
  const terms: string[] = [];
  if (filter.type !== undefined) terms.push(`type=${filter.type}`);
  if (filter.tenant !== undefined) terms.push(`tenant=${filter.tenant}`);
  if (filter.code !== undefined) terms.push(`code=${filter.code}`);
  if (filter.class !== undefined) terms.push(`class=${filter.class}`);
  return {
    terms,
    since: filter.maxAgeMs === undefined ? 0 : Math.max(0, now - filter.maxAgeMs),
    until: Math.min(cutoff, filter.minAgeMs === undefined ? cutoff : now - filter.minAgeMs),
  };
}
