/** Which dead letters or failure groups are selected: some rows, or everything that matches. */
import { useEffect, useState } from 'react';
import { keepForReload, takeKept } from '@/lib/browser/reload-keeper';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import { SELECTION_MAX_JOBS } from '@/lib/contract/operations/operation-kinds';
import type { Group } from '@/lib/contract/search/search-schemas';

export interface ListSelection<Row> {
  /** By key; they stay selected on other pages. */
  readonly rows: ReadonlyMap<string, Row>;
  /** Everything that matches the query, on every page. */
  readonly everything: boolean;
  /** The first row of a range. */
  readonly anchor: string | null;
}

export type SelectionEvent<Row> =
  | { type: 'toggle'; row: Row; select: boolean; range: boolean; page: readonly Row[] }
  | { type: 'page'; select: boolean; page: readonly Row[] }
  | { type: 'everything' }
  | { type: 'clear' };

interface SelectableList<Row> {
  readonly name: string;
  readonly keyOf: (row: Row) => string;
  /** What names the row: only this is kept of it. */
  readonly nameOf: (row: Row) => Row;
  readonly isRow: (value: unknown) => value is Row;
  readonly max: number;
}

export type SelectedJob = Pick<JobSummary, 'queue' | 'jobId'>;
export type SelectedGroup = Pick<Group, 'group'>;
const hasTexts = (value: unknown, ...names: string[]): boolean =>
  typeof value === 'object' &&
  value !== null &&
  names.every((name) => typeof (value as Record<string, unknown>)[name] === 'string');

export const rowKey = ({ queue, jobId }: SelectedJob): string => `${queue}/${jobId}`;
export const JOB_LIST: SelectableList<SelectedJob> = {
  name: 'jobs',
  keyOf: rowKey,
  nameOf: ({ queue, jobId }) => ({ queue, jobId }),
  isRow: (value): value is SelectedJob => hasTexts(value, 'queue', 'jobId'),
  max: SELECTION_MAX_JOBS,
};
/** So many group ids leave room for other conditions in a query. */
export const GROUP_LIST: SelectableList<SelectedGroup> = {
  name: 'groups',
  keyOf: ({ group }) => group,
  nameOf: ({ group }) => ({ group }),
  isRow: (value): value is SelectedGroup => hasTexts(value, 'group'),
  max: 40,
};

export const NO_SELECTION: ListSelection<never> = {
  rows: new Map<string, never>(),
  everything: false,
  anchor: null,
};
export const isSelectionEmpty = ({ everything, rows }: ListSelection<unknown>): boolean =>
  !everything && rows.size === 0;

/** State of the checkbox in the table's head. */
export function pageState<Row>(
  { keyOf }: SelectableList<Row>,
  selection: ListSelection<Row>,
  page: readonly Row[],
): 'all' | 'some' | 'none' {
  if (selection.everything) return 'all';
  const selected = page.filter((row) => selection.rows.has(keyOf(row))).length;
  if (selected === 0) return 'none';
  return selected === page.length ? 'all' : 'some';
}

/** What a reload kept of a selection. */
function keptSelection<Row>({ name, keyOf, isRow, max }: SelectableList<Row>): ListSelection<Row> | null {
  const kept = takeKept(`selection.${name}`);
  if (typeof kept !== 'object' || kept === null) return null;
  const { rows, everything } = kept as { rows?: unknown; everything?: unknown };
  const known = Array.isArray(rows) ? rows.filter(isRow).slice(0, max) : [];
  const selection = { ...NO_SELECTION, rows: new Map(known.map((row) => [keyOf(row), row])) };
  return everything === true ? { ...NO_SELECTION, everything: true } : selection;
}

/** The selection of a query's matches; another query starts with none. A reload keeps it. */
export function useListSelection<Row>(
  list: SelectableList<Row>,
  q: string,
): [ListSelection<Row>, (event: SelectionEvent<Row>) => void] {
  const [state, setState] = useState<{ q: string; selection: ListSelection<Row> }>({
    q,
    selection: NO_SELECTION,
  });
  const isOutdated = state.q !== q;
  if (isOutdated) setState({ q, selection: NO_SELECTION });
  const selection = isOutdated ? NO_SELECTION : state.selection;
  // The server's HTML has none: it comes back after the first render.
  const [isRestored, setRestored] = useState(false);
  useEffect(() => {
    const kept = keptSelection(list);
    if (kept && !isSelectionEmpty(kept)) setState((now) => ({ ...now, selection: kept }));
    setRestored(true);
  }, [list]);
  useEffect(() => {
    if (!isRestored) return;
    const { rows, everything } = selection;
    const isEmpty = isSelectionEmpty(selection);
    keepForReload(`selection.${list.name}`, isEmpty ? null : { rows: [...rows.values()], everything });
  }, [list, selection, isRestored]);
  return [
    selection,
    (event) =>
      setState((now) => ({
        q,
        selection: reduceSelection(list, now.q === q ? now.selection : NO_SELECTION, event),
      })),
  ];
}

export function reduceSelection<Row>(
  list: SelectableList<Row>,
  selection: ListSelection<Row>,
  event: SelectionEvent<Row>,
): ListSelection<Row> {
  if (event.type === 'clear') return NO_SELECTION;
  if (event.type === 'everything') return { ...NO_SELECTION, everything: true };
  const change = (base: ListSelection<Row>, changed: readonly Row[], select: boolean) => {
    const rows = new Map(base.rows);
    for (const row of changed) {
      if (!select) rows.delete(list.keyOf(row));
      else if (rows.size < list.max) rows.set(list.keyOf(row), list.nameOf(row));
    }
    return { rows, everything: false, anchor: base.anchor };
  };
  const { page, select } = event;
  if (event.type === 'page')
    return selection.everything && !select ? NO_SELECTION : change(selection, page, select);
  // Unselecting one row of everything leaves the rest of this page: nothing unseen stays selected.
  const base = selection.everything ? change(NO_SELECTION, page, true) : selection;
  const keys = page.map(list.keyOf);
  const target = list.keyOf(event.row);
  const ends = [base.anchor === null ? -1 : keys.indexOf(base.anchor), keys.indexOf(target)];
  const changed =
    event.range && Math.min(...ends) >= 0
      ? page.slice(Math.min(...ends), Math.max(...ends) + 1)
      : [event.row];
  return { ...change(base, changed, select), anchor: target };
}
