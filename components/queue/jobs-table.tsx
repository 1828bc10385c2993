'use client';
import Link from 'next/link';
import { useMemo, useRef } from 'react';
import { cn } from '@/components/ui/cn';
import { SkeletonRows } from '@/components/ui/skeleton';
import { STATE_LOOK } from '@/components/ui/state-badge';
import { FullRow, Table, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import { links } from '@/lib/client/links';
import { useQueueConfig } from '@/lib/client/use-config';
import { useWorkers } from '@/lib/client/use-workers';
import type { JobSummary } from '@/lib/contract/job';
import type { QueueSnapshot } from '@/lib/contract/queue';
import { type JobState, STATE_MEANING } from '@/lib/contract/states';
import { COLUMNS, type ColumnContext } from './job-columns';
import { useRowKeys } from './use-row-keys';

/** Room for an id of 26 characters. */
const ID_WIDTH = 216;

/** Jobs of one state. `jobs` is null until they are known. */
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
  /** A query narrows it. */
  filtered: boolean;
}) {
  const region = useRef<HTMLDivElement>(null);
  useRowKeys(region);
  const context = useColumnContext(name, queue, state);
  const columns = COLUMNS[state];
  return (
    <div ref={region}>
      <Table label={`${state} jobs of ${name}`} className="min-w-[42rem] table-fixed md:min-w-[56rem]">
        <colgroup>
          <col style={{ width: ID_WIDTH }} />
          {columns.map(({ key, width, roomy }) => (
            <col key={key} style={{ width }} className={cn(roomy && 'max-md:hidden')} />
          ))}
        </colgroup>
        <THead>
          <tr>
            <Th>Job</Th>
            {columns.map(({ key, head, numeric, roomy }) => (
              <Th key={key} numeric={numeric} className={cn(roomy && 'max-md:hidden')}>
                {head}
              </Th>
            ))}
          </tr>
        </THead>
        <TBody>
          {jobs === null && <SkeletonRows columns={columns.length + 1} rows={12} />}
          {jobs?.length === 0 && (
            <FullRow span={columns.length + 1}>
              {filtered ? `No ${state} job matches.` : `No ${state} jobs.`}
              <span className="block text-faint text-xs">
                {STATE_LOOK[state].label}: {STATE_MEANING[state].toLowerCase()}.
              </span>
            </FullRow>
          )}
          {jobs?.map((job) => (
            <Tr
              key={job.jobId}
              className="focus-within:bg-accent/8 focus-within:[&>td:first-child]:shadow-[inset_2px_0_var(--accent)]"
            >
              <Td truncate title={job.jobId}>
                <Link
                  data-row-link
                  href={links.job(job.queue, job.jobId)}
                  prefetch={false}
                  className="font-mono text-xs hover:underline"
                >
                  {job.jobId}
                </Link>
              </Td>
              {columns.map(({ key, numeric, roomy, title, cell }) => (
                <Td
                  key={key}
                  numeric={numeric}
                  truncate={!numeric}
                  title={title?.(job)}
                  className={cn(roomy && 'max-md:hidden')}
                >
                  {cell(job, context)}
                </Td>
              ))}
            </Tr>
          ))}
        </TBody>
      </Table>
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
