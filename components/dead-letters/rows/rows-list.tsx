'use client';
import { type ReactNode, useRef } from 'react';
import {
  isSelectionEmpty,
  type ListSelection,
  type SelectionEvent,
} from '@/components/shared/job-lists/list-selection';
import type { MatchCount } from '@/components/shared/job-lists/match-count';
import { OperationButtons } from '@/components/shared/job-lists/operation-buttons';
import { SelectedCount, SelectMatches } from '@/components/shared/job-lists/selected-count';
import { SelectionBar } from '@/components/shared/job-lists/selection-bar';
import { jobRowProps } from '@/components/shared/job-lists/use-job-list';
import { useSelectableJobs } from '@/components/shared/job-lists/use-selectable-jobs';
import type { ListHold } from '@/components/shared/use-list-hold';
import { Skeleton } from '@/components/ui/skeleton';
import { DataTable } from '@/components/ui/tables/data-table';
import { useFoldedColumns } from '@/components/ui/tables/fold-columns';
import { FoldedLine } from '@/components/ui/tables/folded-line';
import { TableViewButton } from '@/components/ui/tables/table-view-button';
import { useMayAct } from '@/lib/browser/access/use-permissions';
import { useOperationWizard } from '@/lib/browser/operation-wizard-context';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import type { OperationKind } from '@/lib/contract/operations/operation-kinds';
import type { Scope } from '@/lib/contract/operations/operation-request';
import { DeadEmptyState } from '../dead-empty-state';
import { matchLabel, type ScanState } from '../labels';
import { queryScope } from '../query-terms';
import { useDeadView } from '../use-dead-view';
import { DEAD_COLUMNS } from './dead-columns';

interface DeadRows {
  /** Null while loading. */
  jobs: readonly JobSummary[] | null;
  matching: MatchCount | null;
  scan: ScanState | null;
  /** The jobs belong to the previous query or page. */
  pending: boolean;
}

const TABLE = 'dead';
const jobsScope = (jobs: readonly JobSummary[]): Scope => ({
  state: 'dead',
  jobs: jobs.map(({ queue, jobId }) => ({ queue, jobId })),
});

/** The table of dead letters with its selection and the operations on it. */
export function RowsList({
  rows: { jobs, matching, scan, pending },
  selection,
  send,
  hold,
  aside,
  head,
  footer,
}: {
  rows: DeadRows;
  selection: ListSelection<JobSummary>;
  send: (event: SelectionEvent<JobSummary>) => void;
  /** Left out for a list that is not refreshed. */
  hold?: ListHold;
  aside: ReactNode;
  /** Above the table: the progress of a search. */
  head?: ReactNode;
  footer: ReactNode;
}) {
  const { q, cursor } = useDeadView();
  const openWizard = useOperationWizard();
  const acts = useMayAct();
  const region = useRef<HTMLDivElement>(null);
  const page = pending ? [] : (jobs ?? []);
  const { columns, folded } = useFoldedColumns(TABLE, JSON.stringify([q, cursor]), DEAD_COLUMNS, jobs);
  const clear = () => send({ type: 'clear' });
  const start = (kind: OperationKind, chosen: readonly JobSummary[]) =>
    openWizard({ kind, scope: selection.everything ? queryScope(q) : jobsScope(chosen), onStarted: clear });
  const selectable = useSelectableJobs(region, {
    jobs: jobs ?? [],
    pending,
    selection,
    send,
    acts,
    redrive: (chosen) => start('redrive', chosen),
  });
  return (
    <div {...hold?.handlers}>
      <SelectionBar
        summary={
          <>
            {matching ? (
              <span className="inline-block font-medium first-letter:uppercase">{matchLabel(matching)}</span>
            ) : (
              <Skeleton className="w-44" />
            )}
            <FoldedLine folded={folded} />
          </>
        }
        selected={
          isSelectionEmpty(selection) ? null : <SelectedCount selection={selection} matching={matching} />
        }
        offer={<SelectMatches selection={selection} page={page} matching={matching} send={send} />}
        actions={
          <OperationButtons
            state="dead"
            queue={null}
            onAct={(kind) => start(kind, [...selection.rows.values()])}
          />
        }
        aside={
          <>
            {aside}
            <TableViewButton name={TABLE} columns={DEAD_COLUMNS} />
          </>
        }
        onClear={clear}
      />
      {head}
      <div
        ref={region}
        aria-busy={pending || undefined}
        className={pending ? 'pointer-events-none opacity-60' : undefined}
      >
        <DataTable
          label="Dead letters"
          name={TABLE}
          columns={columns}
          rows={jobs}
          // By position: when others take their place, nothing on the page moves.
          rowKey={(_, index) => index}
          rowProps={jobRowProps}
          skeletonRows={20}
          // "No match" appears only when the search was complete.
          empty={
            <DeadEmptyState
              incomplete={matching === null || !matching.exact || matching.count > 0}
              scan={scan}
            />
          }
          selection={selectable}
        />
      </div>
      {footer}
    </div>
  );
}
