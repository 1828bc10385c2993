'use client';
import { type ReactNode, useMemo, useRef } from 'react';
import {
  isSelectionEmpty,
  type ListSelection,
  type SelectionEvent,
} from '@/components/shared/job-lists/list-selection';
import { countLabel, type MatchCount } from '@/components/shared/job-lists/match-count';
import { kindsForState, OperationButtons } from '@/components/shared/job-lists/operation-buttons';
import { SelectedCount, SelectMatches } from '@/components/shared/job-lists/selected-count';
import { SelectionBar } from '@/components/shared/job-lists/selection-bar';
import { jobRowProps } from '@/components/shared/job-lists/use-job-list';
import { useSelectableJobs } from '@/components/shared/job-lists/use-selectable-jobs';
import { STATE_LOOK } from '@/components/shared/state-badge';
import { Skeleton } from '@/components/ui/skeleton';
import { DataTable } from '@/components/ui/tables/data-table';
import { useFoldedColumns } from '@/components/ui/tables/fold-columns';
import { FoldedLine } from '@/components/ui/tables/folded-line';
import { TableViewButton } from '@/components/ui/tables/table-view-button';
import { usePermits } from '@/lib/browser/access/use-permissions';
import { useWorkers } from '@/lib/browser/live/use-workers';
import { useOperationWizard } from '@/lib/browser/operation-wizard-context';
import { useQueueConfig } from '@/lib/browser/queues/use-queue-config';
import { operationPermission } from '@/lib/contract/access/action-permissions';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import { JOB_STATE_MEANING, type JobState } from '@/lib/contract/jobs/job-states';
import type { OperationKind } from '@/lib/contract/operations/operation-kinds';
import { stateNoun } from '@/lib/contract/operations/operation-text';
import type { QueueSnapshot } from '@/lib/contract/queues/queue-schemas';
import { type ColumnContext, stateColumns } from './state-columns';

const TABLE = 'jobs';

interface ListedJobs {
  /** Null while loading. */
  jobs: readonly JobSummary[] | null;
  matching: MatchCount | null;
}

/** Jobs of one state, with their selection and the operations on it. */
export function JobsTable({
  name,
  queue,
  state,
  q,
  rows: { jobs, matching },
  selection,
  send,
  aside,
}: {
  name: string;
  queue: QueueSnapshot | null;
  state: JobState;
  /** The query that the jobs match. */
  q: string;
  rows: ListedJobs;
  selection: ListSelection<JobSummary>;
  send: (event: SelectionEvent<JobSummary>) => void;
  aside: ReactNode;
}) {
  const region = useRef<HTMLDivElement>(null);
  const openWizard = useOperationWizard();
  const acts = useMayActOn(state);
  const context = useColumnContext(name, queue, state);
  const all = useMemo(() => stateColumns(state, context), [state, context]);
  const { columns, folded } = useFoldedColumns(TABLE, `${state} ${q}`, all, jobs);
  const page = jobs ?? [];
  const clear = () => send({ type: 'clear' });
  const start = (kind: OperationKind, chosen: readonly JobSummary[]) =>
    openWizard({
      kind,
      scope: selection.everything
        ? { state, q, queue: name }
        : { state, jobs: chosen.map(({ queue: of, jobId }) => ({ queue: of, jobId })) },
      onStarted: clear,
    });
  const selectable = useSelectableJobs(region, {
    jobs: page,
    selection,
    send,
    acts,
    redrive: kindsForState(state).includes('redrive') ? (chosen) => start('redrive', chosen) : undefined,
  });
  return (
    <>
      <SelectionBar
        summary={
          <>
            {matching ? (
              <span className="font-medium">
                {countLabel(matching)} {stateNoun(state, matching.count)}
              </span>
            ) : (
              <Skeleton className="w-32" />
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
            state={state}
            queue={name}
            onAct={(kind) => start(kind, [...selection.rows.values()])}
          />
        }
        aside={
          <>
            {aside}
            <TableViewButton name={TABLE} columns={all} />
          </>
        }
        onClear={clear}
      />
      <div ref={region}>
        <DataTable
          label={`${state} jobs of ${name}`}
          name={TABLE}
          columns={columns}
          rows={jobs}
          // By position: a row that moves must not shift the rows under the pointer.
          rowKey={(_, index) => index}
          rowProps={jobRowProps}
          skeletonRows={12}
          empty={
            <>
              {q === '' ? `No ${state} jobs.` : `No ${state} job matches.`}
              <span className="block text-faint text-xs">
                {STATE_LOOK[state].label}: {JOB_STATE_MEANING[state].toLowerCase()}.
              </span>
            </>
          }
          selection={selectable}
        />
      </div>
    </>
  );
}

/** Whether there is an operation on such jobs that the user may start; if not, selecting them is useless. */
function useMayActOn(state: JobState): boolean {
  const may = usePermits();
  return kindsForState(state).some((kind) => may(operationPermission(kind)));
}

const NO_PAUSES: QueueSnapshot['pauses'] = [];

function useColumnContext(name: string, queue: QueueSnapshot | null, state: JobState): ColumnContext {
  const workers = useWorkers().data?.workers;
  const config = useQueueConfig(name, { enabled: queue !== null && state === 'held' }).data?.config;
  const pauses = queue?.pauses ?? NO_PAUSES;
  return useMemo(() => {
    const leases = new Map(workers?.map((worker) => [worker.workerId, worker.leaseMs]));
    return {
      pauses,
      config,
      leaseMsOf: (worker) => (worker === null ? null : (leases.get(worker) ?? null)),
    };
  }, [workers, pauses, config]);
}
