'use client';
import { useState } from 'react';
import { cn } from '@/components/ui/cn';
import { ChevronRight } from '@/components/ui/icons';
import { lazyPart } from '@/components/ui/lazy-part';
import { Dialog } from '@/components/ui/overlays/lazy-dialogs';
import { type DataColumn, DataTable } from '@/components/ui/tables/data-table';
import { Duration, Num } from '@/components/ui/text/number';
import { RelativeTime } from '@/components/ui/text/relative-time';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { duration } from '@/lib/format/duration';
import { count } from '@/lib/format/plural';
import { type EndedRow, endCause, endedAt, endedRows, isCrash } from './worker-groups';
import { WorkerBadge } from './worker-status';

const WorkerJobsDialog = lazyPart(() =>
  import('./worker-jobs-dialog').then((module) => module.WorkerJobsDialog),
);

/** Workers that ended: how, and what happened to their jobs. A crash loop is one row. */
export function EndedTable({ workers }: { workers: readonly Worker[] }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [shown, setShown] = useState<Worker | null>(null);
  const toggle = (key: string) =>
    setOpen((before) => {
      const next = new Set(before);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  return (
    <>
      <DataTable
        label="Ended workers"
        className="min-w-[64rem]"
        columns={columnsOf(toggle, setShown)}
        rows={endedRows(workers, open)}
        rowKey={(row) => (row.kind === 'loop' ? `loop ${row.key}` : row.worker.workerId)}
      />
      <Dialog open={shown !== null} onOpenChange={() => setShown(null)}>
        {shown && <WorkerJobsDialog worker={shown} />}
      </Dialog>
    </>
  );
}

/** The latest worker of the row. */
const latestOf = (row: EndedRow): Worker | undefined =>
  row.kind === 'loop' ? row.loop.workers[0] : row.worker;
const byWorker =
  (cell: (worker: Worker) => React.ReactNode) =>
  (row: EndedRow): React.ReactNode => {
    const worker = latestOf(row);
    return worker ? cell(worker) : null;
  };

/** "18 times in 1 m 4 s". */
const timesOf = ({ workers, spanMs }: Extract<EndedRow, { kind: 'loop' }>['loop']): string =>
  `${count(workers.length, 'time')} in ${duration(Math.max(1_000, spanMs))}`;

const columnsOf = (
  toggle: (key: string) => void,
  show: (worker: Worker) => void,
): readonly DataColumn<EndedRow>[] => [
  {
    key: 'status',
    head: 'Status',
    width: 104,
    truncate: false,
    cell: byWorker(({ status }) => <WorkerBadge status={status} />),
  },
  {
    key: 'worker',
    head: 'Worker',
    title: (row) => (row.kind === 'loop' ? undefined : row.worker.workerId),
    cell: (row) =>
      row.kind === 'loop' ? (
        <button
          type="button"
          aria-expanded={row.open}
          onClick={() => toggle(row.key)}
          className="inline-flex h-6 max-w-full items-center gap-1 hover:underline"
        >
          <ChevronRight aria-hidden className={cn('size-3.5 shrink-0', row.open && 'rotate-90')} />
          <span className="min-w-0 truncate">
            <span className="font-mono text-xs">{row.loop.name}</span>{' '}
            <span className="font-medium text-bad">crashed {timesOf(row.loop)}</span>
          </span>
        </button>
      ) : (
        <span className={cn('font-mono text-xs', row.inLoop && 'pl-5')}>{row.worker.workerId}</span>
      ),
  },
  {
    key: 'host',
    head: 'Host and pid',
    width: 150,
    cellClassName: 'text-muted',
    title: (row) => revealHidden(latestOf(row)?.host ?? ''),
    cell: (row) =>
      revealHidden(
        row.kind === 'loop' ? (latestOf(row)?.host ?? '') : `${row.worker.host}, ${row.worker.pid}`,
      ),
  },
  {
    key: 'cause',
    head: 'Cause',
    width: 130,
    title: (row) => revealHidden(latestOf(row)?.end?.cause ?? ''),
    cell: (row) => (row.kind === 'loop' ? `latest ${row.loop.cause}` : endCause(row.worker)),
  },
  {
    key: 'jobs',
    head: 'Jobs',
    width: 190,
    cell: (row) =>
      row.kind === 'loop' ? (
        `${count(row.loop.reclaimed, 'job')} reclaimed`
      ) : (
        <JobsOutcome worker={row.worker} show={show} />
      ),
  },
  {
    key: 'completed',
    head: 'Completed',
    width: 90,
    numeric: true,
    cell: (row) => {
      const workers = row.kind === 'loop' ? row.loop.workers : [row.worker];
      if (workers.some(({ partial }) => partial)) return '–';
      return <Num value={workers.reduce((sum, { completed }) => sum + completed, 0)} dim />;
    },
  },
  {
    key: 'uptime',
    head: 'Uptime',
    headTitle: 'In a crash loop: of the latest',
    width: 84,
    numeric: true,
    cell: byWorker((worker) => <Duration ms={Math.max(0, endedAt(worker) - worker.startedAt)} />),
  },
  {
    key: 'ended',
    head: 'Ended',
    width: 96,
    numeric: true,
    cell: byWorker((worker) => <RelativeTime at={endedAt(worker)} className="text-muted" />),
  },
];

/** Whether the jobs of the worker were reclaimed, or their leases expired. Opens the list of them. */
function JobsOutcome({ worker, show }: { worker: Worker; show: (worker: Worker) => void }) {
  const { end, jobs, partial } = worker;
  const words =
    end && end.reclaimed > 0
      ? `${count(end.reclaimed, 'job')} reclaimed`
      : !end && jobs.length > 0
        ? `${count(jobs.length, 'lease')} expired`
        : null;
  if (partial && words === null) return '–';
  if (words === null || !isCrash(worker)) return words ?? <span className="text-faint">None</span>;
  return (
    <button
      type="button"
      title="Where these jobs are now"
      onClick={() => show(worker)}
      className="inline-flex h-6 items-center text-accent hover:underline"
    >
      {words}
    </button>
  );
}
