'use client';
import Link from 'next/link';
import { useMemo, useRef } from 'react';
import { STATE_LOOK } from '@/components/shared/state-badge';
import { useListKeys } from '@/components/shared/use-list-keys';
import { type DataColumn, DataTable } from '@/components/ui/tables/data-table';
import { links } from '@/lib/browser/links';
import { useWorkers } from '@/lib/browser/live/use-workers';
import { useQueueConfig } from '@/lib/browser/queues/use-queue-config';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import { JOB_STATE_MEANING, type JobState } from '@/lib/contract/jobs/job-states';
import type { QueueSnapshot } from '@/lib/contract/queues/queue-schemas';
import { type ColumnContext, stateColumns } from './state-columns';

const ID_COLUMN: DataColumn<JobSummary> = {
  key: 'id',
  head: 'Job',
  // Room for an id of 26 characters.
  width: 216,
  title: ({ jobId }) => jobId,
  cell: ({ queue, jobId }) => (
    <Link
      data-row-link
      href={links.job(queue, jobId)}
      prefetch={false}
      className="font-mono text-xs hover:underline"
    >
      {jobId}
    </Link>
  ),
};

/** Jobs of one state. `jobs` is null while loading. */
export function JobsTable({
  name,
  queue,
  state,
  jobs,
  filtered,
}: {
  name: string;
  queue: QueueSnapshot | null;
  state: JobState;
  jobs: readonly JobSummary[] | null;
  filtered: boolean;
}) {
  const region = useRef<HTMLDivElement>(null);
  useListKeys(region);
  const context = useColumnContext(name, queue, state);
  const columns = useMemo(() => [ID_COLUMN, ...stateColumns(state, context)], [state, context]);
  return (
    <div ref={region}>
      <DataTable
        label={`${state} jobs of ${name}`}
        className="min-w-[42rem] md:min-w-[56rem]"
        columns={columns}
        rows={jobs}
        rowKey={({ jobId }) => jobId}
        rowProps={() => ({
          className:
            'focus-within:bg-accent/8 focus-within:[&>td:first-child]:shadow-[inset_2px_0_var(--accent)]',
        })}
        skeletonRows={12}
        empty={
          <>
            {filtered ? `No ${state} job matches.` : `No ${state} jobs.`}
            <span className="block text-faint text-xs">
              {STATE_LOOK[state].label}: {JOB_STATE_MEANING[state].toLowerCase()}.
            </span>
          </>
        }
      />
    </div>
  );
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
