'use client';
import { type DataColumn, DataTable } from '@/components/ui/tables/data-table';
import { Duration, Num } from '@/components/ui/text/number';
import { RelativeTime } from '@/components/ui/text/relative-time';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { count } from '@/lib/format/plural';
import { endedAt } from './worker-groups';
import { WorkerBadge } from './worker-status';

/** Workers that ended: how, and what happened to their jobs. */
export function EndedTable({ workers }: { workers: readonly Worker[] }) {
  return (
    <DataTable
      label="Ended workers"
      className="min-w-[64rem]"
      columns={COLUMNS}
      rows={workers}
      rowKey={({ workerId }) => workerId}
    />
  );
}

/** Whether the jobs of the worker were reclaimed, or their leases expired. */
function JobsOutcome({ worker: { end, jobs, partial } }: { worker: Worker }) {
  if (partial) return '–';
  if (end && end.reclaimed > 0) return `${count(end.reclaimed, 'job')} reclaimed`;
  if (!end && jobs.length > 0) return `${count(jobs.length, 'lease')} expired`;
  return <span className="text-faint">None</span>;
}

const COLUMNS: readonly DataColumn<Worker>[] = [
  {
    key: 'status',
    head: 'Status',
    width: 104,
    truncate: false,
    cell: ({ status }) => <WorkerBadge status={status} />,
  },
  {
    key: 'worker',
    head: 'Worker',
    cellClassName: 'font-mono text-xs',
    title: ({ workerId }) => workerId,
    cell: ({ workerId }) => workerId,
  },
  {
    key: 'host',
    head: 'Host and pid',
    width: 150,
    cellClassName: 'text-muted',
    title: ({ host }) => host,
    cell: ({ host, pid }) => `${host}, ${pid}`,
  },
  {
    key: 'cause',
    head: 'Cause',
    width: 130,
    title: ({ end }) => end?.cause,
    cell: ({ end }) => end?.cause ?? 'Heartbeat lost',
  },
  { key: 'jobs', head: 'Jobs', width: 190, cell: (worker) => <JobsOutcome worker={worker} /> },
  {
    key: 'completed',
    head: 'Completed',
    width: 90,
    numeric: true,
    cell: ({ partial, completed }) => (partial ? '–' : <Num value={completed} dim />),
  },
  {
    key: 'uptime',
    head: 'Uptime',
    width: 84,
    numeric: true,
    cell: (worker) => <Duration ms={Math.max(0, endedAt(worker) - worker.startedAt)} />,
  },
  {
    key: 'ended',
    head: 'Ended',
    width: 96,
    numeric: true,
    cell: (worker) => <RelativeTime at={endedAt(worker)} className="text-muted" />,
  },
];
