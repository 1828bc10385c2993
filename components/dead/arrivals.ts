/** What changed behind a list that is held still; pure. */
import type { SearchPage } from '@/lib/contract/dead';
import { full } from '@/lib/format/number';

export interface Arrivals {
  /** Matches that died since the list was read … */
  readonly arrived: number;
  /** … at least: the first page of them is full. */
  readonly more: boolean;
  /** How many of what matched then match no more; null when that cannot be told. */
  readonly left: number | null;
}

/** `now` is the first page, newest first, of the same query. */
export function arrivalsOf(shown: Pick<SearchPage, 'at' | 'matching'>, now: SearchPage): Arrivals {
  const arrived = now.jobs.filter(({ stateAt }) => (stateAt ?? 0) > shown.at).length;
  const more = arrived > 0 && arrived === now.jobs.length && now.nextCursor !== null;
  const known = shown.matching.exact && now.matching.exact && !more;
  return {
    arrived,
    more,
    left: known ? Math.max(0, shown.matching.count + arrived - now.matching.count) : null,
  };
}

/** "37 new", "50+ new, 12 left"; null when the list is still the truth. */
export function arrivalWords({ arrived, more, left }: Arrivals): string | null {
  const parts = [
    arrived > 0 ? `${full(arrived)}${more ? '+' : ''} new` : null,
    left !== null && left > 0 ? `${full(left)} left` : null,
  ].filter((part) => part !== null);
  return parts.length > 0 ? parts.join(', ') : null;
}
