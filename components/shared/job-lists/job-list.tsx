'use client';
import { type ReactNode, useRef } from 'react';
import type { ListHold } from '@/components/shared/use-list-hold';
import { Skeleton } from '@/components/ui/skeleton';
import type { DataColumn } from '@/components/ui/tables/data-column';
import { DataTable } from '@/components/ui/tables/data-table';
import { useFoldedColumns } from '@/components/ui/tables/fold-columns';
import { FoldedLine } from '@/components/ui/tables/folded-line';
import { TableViewButton } from '@/components/ui/tables/table-view-button';
import { usePermits } from '@/lib/browser/access/use-permissions';
import { useOperationWizard } from '@/lib/browser/operation-wizard-context';
import { operationPermission } from '@/lib/contract/access/action-permissions';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import type { JobState } from '@/lib/contract/jobs/job-states';
import type { OperationKind } from '@/lib/contract/operations/operation-kinds';
import type { Scope } from '@/lib/contract/operations/operation-request';
import {
  isSelectionEmpty,
  type ListSelection,
  type SelectedJob,
  type SelectionEvent,
} from './list-selection';
import type { MatchCount } from './match-count';
import { kindsForState, OperationButtons } from './operation-buttons';
import { SelectedCount, SelectMatches } from './selected-count';
import { SelectionBar } from './selection-bar';
import { jobRowProps } from './use-job-list';
import { useRowRoom } from './use-row-room';
import { useSelectableJobs } from './use-selectable-jobs';

export interface ListedJobs {
  /** Null while loading. */
  jobs: readonly JobSummary[] | null;
  matching: MatchCount | null;
  /** The jobs belong to the previous query or page. */
  pending?: boolean;
}

interface JobListProps {
  /** Names the table's settings: columns and widths. */
  name: string;
  label: string;
  /** What the rows are of: another view may fold other columns. */
  view: string;
  state: JobState;
  /** Null: jobs of several queues. */
  queue: string | null;
  columns: readonly DataColumn<JobSummary>[];
  rows: ListedJobs;
  summary: (matching: MatchCount) => string;
  empty: ReactNode;
  /** Every job that matches, on this page or not. */
  everything: Scope;
  selection: ListSelection<SelectedJob>;
  send: (event: SelectionEvent<SelectedJob>) => void;
  /** How many rows will come; null: not known. Given where something stands below the list. */
  expected?: number | null;
  /** Left out for a list that is not refreshed. */
  hold?: ListHold;
  aside: ReactNode;
  /** Above the table: the progress of a search. */
  head?: ReactNode;
  footer: ReactNode;
}

/** Jobs of one state in a table, with their selection and the operations on it. */
export function JobList({ rows: { jobs, matching, pending = false }, ...list }: JobListProps) {
  const { name, view, state, queue, selection, send } = list;
  const openWizard = useOperationWizard();
  const acts = useMayActOn(state);
  const region = useRef<HTMLDivElement>(null);
  const { columns, folded } = useFoldedColumns(name, view, list.columns, jobs);
  const room = useRowRoom(view, jobs?.length ?? null, list.expected ?? null);
  const clear = () => send({ type: 'clear' });
  const start = (kind: OperationKind, chosen: Iterable<SelectedJob>) =>
    openWizard({
      kind,
      scope: selection.everything ? list.everything : { state, jobs: jobRefs(chosen) },
      onStarted: clear,
    });
  const selectable = useSelectableJobs(region, {
    jobs: jobs ?? [],
    pending,
    selection,
    send,
    acts,
    redrive: kindsForState(state).includes('redrive') ? (chosen) => start('redrive', chosen) : undefined,
  });
  return (
    <div {...list.hold?.handlers}>
      <SelectionBar
        summary={
          <>
            {matching ? (
              <span className="inline-block font-medium first-letter:uppercase">
                {list.summary(matching)}
              </span>
            ) : (
              <Skeleton className="w-40" />
            )}
            <FoldedLine folded={folded} />
          </>
        }
        selected={
          isSelectionEmpty(selection) ? null : <SelectedCount selection={selection} matching={matching} />
        }
        offer={
          <SelectMatches
            selection={selection}
            page={pending ? [] : (jobs ?? [])}
            matching={matching}
            send={send}
          />
        }
        actions={
          <OperationButtons
            state={state}
            queue={queue}
            onAct={(kind) => start(kind, selection.rows.values())}
          />
        }
        aside={
          <>
            {list.aside}
            <TableViewButton name={name} columns={list.columns} />
          </>
        }
        onClear={clear}
      />
      {list.head}
      <div
        ref={region}
        aria-busy={pending || undefined}
        className={pending ? 'pointer-events-none opacity-60' : undefined}
      >
        <DataTable
          label={list.label}
          name={name}
          columns={columns}
          rows={jobs}
          // By position: a job that moves must not shift the rows under the pointer. And by job: on a phone, values of another one would push
          // each other aside.
          rowKey={({ queue, jobId }, index) => `${index} ${queue}/${jobId}`}
          rowProps={jobRowProps}
          skeletonRows={list.expected ?? 20}
          missing={list.expected === undefined ? 0 : room}
          empty={list.empty}
          selection={selectable}
        />
      </div>
      {list.footer}
    </div>
  );
}

const jobRefs = (jobs: Iterable<SelectedJob>) => Array.from(jobs, ({ queue, jobId }) => ({ queue, jobId }));

/** Whether the user may start an operation on such jobs; if not, selecting them is useless. */
function useMayActOn(state: JobState): boolean {
  const may = usePermits();
  return kindsForState(state).some((kind) => may(operationPermission(kind)));
}
