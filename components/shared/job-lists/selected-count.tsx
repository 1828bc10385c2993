import { Button } from '@/components/ui/controls/button';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import { SELECTION_MAX_JOBS } from '@/lib/contract/operations/operation-kinds';
import { fullNumber } from '@/lib/format/number';
import {
  JOB_LIST,
  type ListSelection,
  pageState,
  type SelectedJob,
  type SelectionEvent,
} from './list-selection';
import { countLabel, type MatchCount } from './match-count';

interface SelectedRows {
  selection: ListSelection<SelectedJob>;
  matching: MatchCount | null;
}

/** "3 selected", "All 80 that match are selected". */
export function SelectedCount({ selection: { everything, rows }, matching }: SelectedRows) {
  return (
    <>
      {everything && matching
        ? `All ${countLabel(matching)} that match are selected`
        : `${fullNumber(rows.size)} selected`}
      {rows.size === SELECTION_MAX_JOBS && <span className="text-muted"> (the maximum)</span>}
    </>
  );
}

/** Offers all that match, once every row of the page is selected and there are more. */
export function SelectMatches({
  selection,
  matching,
  page,
  send,
}: SelectedRows & {
  page: readonly JobSummary[];
  send: (event: SelectionEvent<SelectedJob>) => void;
}) {
  const isOffered =
    !selection.everything &&
    pageState(JOB_LIST, selection, page) === 'all' &&
    matching !== null &&
    (!matching.exact || matching.count > page.length);
  if (!isOffered) return null;
  return (
    <Button size="sm" variant="ghost" className="text-accent" onClick={() => send({ type: 'everything' })}>
      Select all {countLabel(matching)} that match
    </Button>
  );
}
