/** What can be done to many dead letters at once, and to which. */
import type { Scope } from '@/lib/contract/operations';
import { full } from '@/lib/format/number';
import { count, plural } from '@/lib/format/plural';
import type { Selection } from './selection';

/** Everything that matches, as a scope. */
export const scopeOfQuery = (q: string): Scope => ({ state: 'dead', q });

/** What is selected: the ticked jobs, or everything that matches. */
export function scopeOf(selection: Selection, q: string): Scope {
  if (selection.everything) return scopeOfQuery(q);
  return {
    state: 'dead',
    jobs: [...selection.rows.values()].map(({ queue, jobId }) => ({ queue, jobId })),
  };
}

export interface Matching {
  readonly count: number;
  readonly exact: boolean;
}

/** "1,234 dead letters match"; "at least 20,000 …" when counting stopped at its budget. */
export function matchWords({ count: n, exact }: Matching): string {
  return `${exact ? '' : 'at least '}${count(n, 'dead letter')} ${plural(n, 'matches', 'match')}`;
}

/** "48,211", "at least 20,000". */
export const countWords = ({ count: n, exact }: Matching): string => `${exact ? '' : 'at least '}${full(n)}`;

/** "312 found, 40,000 of 1,200,000 scanned". */
export function scanWords({ found, scanned, of }: { found: number; scanned: number; of: number }): string {
  return `${full(found)} found, ${full(Math.min(scanned, of))} of ${full(of)} scanned`;
}
