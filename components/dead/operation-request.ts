/** What a confirmed bulk action asks for, and the words that say so before it does; pure. */
import type { DeadFilter, DeadPage } from '@/lib/contract/dead';
import type { OperationKind, OperationRequest } from '@/lib/contract/operations';
import { full } from '@/lib/format/number';
import { cutoffOf } from './filter';
import type { Selection } from './selection';

/** From this many on, a purge asks for the number to be typed. */
export const TYPED_ABOVE = 100;

export const KIND_VERB: Readonly<Record<OperationKind, string>> = { redrive: 'Re-drive', purge: 'Purge' };

export interface Plan {
  kind: OperationKind;
  total: number;
  exact: boolean;
  /** Only what died up to here is touched. */
  cutoff: number;
  /** Ticked jobs whose deadline has passed; null when not every job is known. */
  pastDeadline: number | null;
  request: Omit<OperationRequest, 'reason'>;
}

export function planOf(kind: OperationKind, selection: Selection, filter: DeadFilter, page: DeadPage): Plan {
  if (selection.everything) {
    const cutoff = cutoffOf(filter, page.at);
    const { count: total, exact } = page.matching;
    return { kind, total, exact, cutoff, pastDeadline: null, request: { kind, filter, cutoff: page.at } };
  }
  const rows = [...selection.rows.values()];
  const jobs = rows.map(({ queue, jobId }) => ({ queue, jobId }));
  const pastDeadline = rows.filter(({ deadline }) => deadline !== null && deadline <= page.at).length;
  return {
    kind,
    total: rows.length,
    exact: true,
    cutoff: page.at,
    pastDeadline,
    request: { kind, jobs, cutoff: page.at },
  };
}

/** "1,234", "at least 20,000". */
export const totalWords = ({ total, exact }: Plan): string => `${exact ? '' : 'at least '}${full(total)}`;

/** What must be typed first: the plain number, for what is large and takes jobs away. */
export const typedBefore = ({ kind, total }: Plan): string | undefined =>
  kind === 'purge' && total > TYPED_ABOVE ? String(total) : undefined;
