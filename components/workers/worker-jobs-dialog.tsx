'use client';
import Link from 'next/link';
import { LoadError } from '@/components/shared/load-error';
import { StateBadge } from '@/components/shared/state-badge';
import { DialogContent } from '@/components/ui/overlays/dialog';
import { type DataColumn, DataTable } from '@/components/ui/tables/data-table';
import { links } from '@/lib/browser/links';
import { useWorkerJobs } from '@/lib/browser/use-worker-jobs';
import { HELD_JOBS_MAX } from '@/lib/contract/workers/worker-limits';
import type { Worker, WorkerJobs } from '@/lib/contract/workers/worker-schemas';
import { truncateMiddle } from '@/lib/format/display-text';
import { fullNumber } from '@/lib/format/number';
import { endCause } from './worker-groups';

type Row = WorkerJobs['jobs'][number];

/** The jobs a worker held when it ended, and where they are now. */
export function WorkerJobsDialog({ worker }: { worker: Worker }) {
  const query = useWorkerJobs(worker.workerId);
  const { data, error } = query;
  return (
    <DialogContent
      size="lg"
      title={`Jobs of ${worker.workerId}`}
      description={`${endCause(worker)}. The jobs it held then, and where they are now.`}
    >
      {error && !data ? (
        <LoadError title="The jobs could not be loaded" query={query} />
      ) : (
        <DataTable
          label="Jobs it held"
          columns={COLUMNS}
          rows={data?.jobs ?? null}
          rowKey={({ queue, jobId }) => `${queue}/${jobId}`}
          skeletonRows={3}
          empty="None of its jobs is stored any more."
          more={(data?.jobs.length ?? 0) >= HELD_JOBS_MAX && `The first ${HELD_JOBS_MAX} are listed.`}
        />
      )}
    </DialogContent>
  );
}

const COLUMNS: readonly DataColumn<Row>[] = [
  {
    key: 'job',
    head: 'Job',
    width: 150,
    title: ({ jobId }) => jobId,
    cell: ({ queue, jobId }) => (
      <Link href={links.job(queue, jobId)} prefetch={false} className="font-mono text-xs hover:underline">
        {truncateMiddle(jobId, 15)}
      </Link>
    ),
  },
  {
    key: 'type',
    head: 'Type',
    title: ({ jobType }) => jobType ?? undefined,
    cell: ({ jobType }) => jobType ?? '–',
  },
  { key: 'queue', head: 'Queue', width: 110, title: ({ queue }) => queue, cell: ({ queue }) => queue },
  {
    key: 'state',
    head: 'Now',
    width: 110,
    truncate: false,
    cell: ({ state }) =>
      state ? <StateBadge state={state} plain /> : <span className="text-faint">deleted</span>,
  },
  {
    key: 'claims',
    head: 'Claims',
    headTitle: 'How often it was claimed',
    width: 70,
    numeric: true,
    cell: ({ deliveries }) => fullNumber(deliveries),
  },
];
