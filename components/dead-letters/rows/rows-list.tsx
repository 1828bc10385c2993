'use client';
import { type ReactNode, useRef } from 'react';
import { useListKeys } from '@/components/shared/use-list-keys';
import { Button } from '@/components/ui/controls/button';
import { Skeleton } from '@/components/ui/skeleton';
import { DataTable } from '@/components/ui/tables/data-table';
import { useMayAct } from '@/lib/browser/access/use-permissions';
import { useOperationWizard } from '@/lib/browser/operation-wizard-context';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import { type OperationKind, SELECTION_MAX_JOBS } from '@/lib/contract/operations/operation-kinds';
import type { Scope } from '@/lib/contract/operations/operation-request';
import { fullNumber } from '@/lib/format/number';
import { DeadEmptyState } from '../dead-empty-state';
import { countLabel, type MatchCount, matchLabel, type ScanState } from '../labels';
import {
  isSelectionEmpty,
  JOB_LIST,
  type ListSelection,
  pageState,
  rowKey,
  type SelectionEvent,
} from '../list-selection';
import { queryScope } from '../query-terms';
import { SelectionBar } from '../selection-bar';
import { useDeadView } from '../use-dead-view';
import { deadColumns } from './dead-columns';

interface DeadRows {
  /** Null while loading. */
  jobs: readonly JobSummary[] | null;
  matching: MatchCount | null;
  scan: ScanState | null;
  /** The jobs belong to the previous query or page. */
  pending: boolean;
}

const jobsScope = (jobs: readonly JobSummary[]): Scope => ({
  state: 'dead',
  jobs: jobs.map(({ queue, jobId }) => ({ queue, jobId })),
});

/** The table of dead letters with its selection and the operations on it. */
export function RowsList({
  rows: { jobs, matching, scan, pending },
  selection,
  send,
  aside,
  head,
  footer,
}: {
  rows: DeadRows;
  selection: ListSelection<JobSummary>;
  send: (event: SelectionEvent<JobSummary>) => void;
  aside: ReactNode;
  /** Above the table: the progress of a search. */
  head?: ReactNode;
  footer: ReactNode;
}) {
  const { q, facets } = useDeadView();
  const openWizard = useOperationWizard();
  const acts = useMayAct();
  const region = useRef<HTMLDivElement>(null);
  const page = pending ? [] : (jobs ?? []);
  const isSelected = (job: JobSummary) => selection.everything || selection.rows.has(rowKey(job));
  const toggle = (job: JobSummary, select: boolean, range: boolean) =>
    send({ type: 'toggle', row: job, select, range, page });
  const clear = () => send({ type: 'clear' });
  const start = (kind: OperationKind) => {
    if (isSelectionEmpty(selection)) return;
    const scope = selection.everything ? queryScope(q) : jobsScope([...selection.rows.values()]);
    openWizard({ kind, scope, onStarted: clear });
  };
  const offersAll =
    !selection.everything &&
    pageState(JOB_LIST, selection, page) === 'all' &&
    matching !== null &&
    (!matching.exact || matching.count > page.length);
  useListKeys(region, {
    toggle: (index, range) => {
      const job = page[index];
      if (job && acts) toggle(job, !isSelected(job), range);
    },
    clear,
    redrive: (index) => {
      const job = page[index];
      if (!isSelectionEmpty(selection)) start('redrive');
      else if (job) openWizard({ kind: 'redrive', scope: jobsScope([job]) });
    },
  });
  return (
    <>
      <SelectionBar
        summary={
          matching ? (
            <span className="inline-block font-medium first-letter:uppercase">{matchLabel(matching)}</span>
          ) : (
            <Skeleton className="w-44" />
          )
        }
        selected={isSelectionEmpty(selection) ? null : <Selected selection={selection} matching={matching} />}
        offer={
          offersAll && (
            <Button
              size="sm"
              variant="ghost"
              className="text-accent"
              onClick={() => send({ type: 'everything' })}
            >
              Select all {countLabel(matching)} that match
            </Button>
          )
        }
        aside={aside}
        onAct={start}
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
          className="sm:min-w-[60rem]"
          columns={deadColumns({ facets })}
          rows={jobs}
          rowKey={rowKey}
          rowProps={() => ({
            className: 'focus-within:[&>td:first-child]:shadow-[inset_2px_0_var(--accent)]',
          })}
          skeletonRows={20}
          // "No match" appears only when the search was complete.
          empty={
            <DeadEmptyState
              incomplete={matching === null || !matching.exact || matching.count > 0}
              scan={scan}
            />
          }
          selection={
            acts
              ? {
                  state: pageState(JOB_LIST, selection, jobs ?? []),
                  rowLabel: (job) => `Select job ${job.jobId}`,
                  isSelected,
                  onToggle: toggle,
                  onToggleAll: (select) => send({ type: 'page', select, page }),
                }
              : undefined
          }
        />
      </div>
      {footer}
    </>
  );
}

function Selected({
  selection: { everything, rows },
  matching,
}: {
  selection: ListSelection<JobSummary>;
  matching: MatchCount | null;
}) {
  return (
    <>
      {everything && matching
        ? `All ${countLabel(matching)} that match are selected`
        : `${fullNumber(rows.size)} selected`}
      {rows.size === SELECTION_MAX_JOBS && <span className="text-muted"> (the maximum)</span>}
    </>
  );
}
