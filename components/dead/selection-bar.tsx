'use client';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import type { JobSummary } from '@/lib/contract/job';
import { type OperationKind, SELECTION_MAX_JOBS } from '@/lib/contract/operations';
import { full } from '@/lib/format/number';
import { countWords, type Matching, matchWords } from './bulk';
import { BulkButtons } from './bulk-menu';
import { BAR } from './groups-bar';
import { isEmpty, pageState, type Selection } from './selection';

/** One line of one height above the list: how many match, or what is selected and what can be done with it. */
export function SelectionBar({
  jobs,
  matching,
  selection,
  aside,
  onEverything,
  onClear,
  onAct,
}: {
  jobs: readonly JobSummary[] | null;
  matching: Matching | null;
  selection: Selection;
  /** How old the list is, and what is new behind it. */
  aside: ReactNode;
  onEverything: () => void;
  onClear: () => void;
  onAct: (kind: OperationKind) => void;
}) {
  const empty = isEmpty(selection);
  const listed = jobs?.length ?? 0;
  const wholePage = !empty && !selection.everything && pageState(selection, jobs ?? []) === 'all';
  const offer = wholePage && matching !== null && (!matching.exact || matching.count > listed);
  return (
    <div className={BAR}>
      {empty ? (
        matching ? (
          <span className="inline-block font-medium first-letter:uppercase">{matchWords(matching)}</span>
        ) : (
          <Skeleton className="w-44" />
        )
      ) : (
        <>
          <span role="status" className="font-medium">
            {selection.everything && matching
              ? `All ${countWords(matching)} that match are selected`
              : `${full(selection.rows.size)} selected`}
            {selection.rows.size === SELECTION_MAX_JOBS && (
              <span className="text-muted"> (the most that can be ticked)</span>
            )}
          </span>
          {offer && matching && (
            <Button size="sm" variant="ghost" className="text-accent" onClick={onEverything}>
              Select all {countWords(matching)} that match
            </Button>
          )}
          <span className="flex items-center gap-1.5">
            <BulkButtons onAct={onAct} />
            <Button size="sm" variant="ghost" onClick={onClear}>
              <X aria-hidden />
              Unselect
            </Button>
          </span>
        </>
      )}
      <span className="ml-auto flex items-center gap-2">{aside}</span>
    </div>
  );
}
