/** Which dead jobs are chosen: some rows, or everything that matches. A pure reducer. */
import type { JobSummary } from '@/lib/contract/job';
import { SELECTION_MAX_JOBS } from '@/lib/contract/operations';

export interface Selection {
  /** By `rowKey`; kept while pages are turned. */
  readonly rows: ReadonlyMap<string, JobSummary>;
  /** Everything that matches the filter, also what is not on the page. */
  readonly everything: boolean;
  /** Where a range starts. */
  readonly anchor: string | null;
}

export type SelectionEvent =
  | { type: 'toggle'; job: JobSummary; select: boolean; range: boolean; page: readonly JobSummary[] }
  | { type: 'page'; select: boolean; page: readonly JobSummary[] }
  | { type: 'everything' }
  | { type: 'clear' };

export const NOTHING: Selection = { rows: new Map(), everything: false, anchor: null };
export const rowKey = (job: Pick<JobSummary, 'queue' | 'jobId'>): string => `${job.queue}/${job.jobId}`;
export const isEmpty = (selection: Selection): boolean => !selection.everything && selection.rows.size === 0;

/** Whether the head's box is ticked, half ticked or empty. */
export function pageState(selection: Selection, page: readonly JobSummary[]): 'all' | 'some' | 'none' {
  if (selection.everything) return 'all';
  const ticked = page.filter((job) => selection.rows.has(rowKey(job))).length;
  if (ticked === 0) return 'none';
  return ticked === page.length ? 'all' : 'some';
}

export function reduceSelection(selection: Selection, event: SelectionEvent): Selection {
  switch (event.type) {
    case 'clear':
      return NOTHING;
    case 'everything':
      return { ...NOTHING, everything: true };
    case 'page':
      return event.select ? change(selection, event.page, true, null) : withoutPage(selection, event.page);
    case 'toggle': {
      const base = selection.everything ? asRows(event.page) : selection;
      const range = event.range ? between(event.page, base.anchor, rowKey(event.job)) : null;
      return change(base, range ?? [event.job], event.select, rowKey(event.job));
    }
  }
}

/** Unticking one of everything leaves the rest of the page: what cannot be seen is never kept by accident. */
const asRows = (page: readonly JobSummary[]): Selection => change(NOTHING, page, true, null);

const withoutPage = (selection: Selection, page: readonly JobSummary[]): Selection =>
  selection.everything ? NOTHING : change(selection, page, false, null);

function change(
  selection: Selection,
  jobs: readonly JobSummary[],
  select: boolean,
  anchor: string | null,
): Selection {
  const rows = new Map(selection.rows);
  for (const job of jobs) {
    if (!select) rows.delete(rowKey(job));
    else if (rows.size < SELECTION_MAX_JOBS) rows.set(rowKey(job), job);
  }
  return { rows, everything: false, anchor: anchor ?? selection.anchor };
}

function between(
  page: readonly JobSummary[],
  anchor: string | null,
  target: string,
): readonly JobSummary[] | null {
  const keys = page.map(rowKey);
  const from = anchor === null ? -1 : keys.indexOf(anchor);
  const to = keys.indexOf(target);
  return from < 0 || to < 0 ? null : page.slice(Math.min(from, to), Math.max(from, to) + 1);
}
