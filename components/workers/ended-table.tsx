'use client';
import { useState } from 'react';
import { cn } from '@/components/ui/cn';
import { ChevronRight } from '@/components/ui/icons';
import { lazyPart } from '@/components/ui/lazy-part';
import { Dialog } from '@/components/ui/overlays/lazy-dialogs';
import { Panel } from '@/components/ui/panel';
import { type DataColumn, DataTable } from '@/components/ui/tables/data-table';
import { TableViewButton } from '@/components/ui/tables/table-view-button';
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

const TABLE = 'ended-workers';

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
  const columns = columnsOf(toggle, setShown);
  return (
    <Panel
      title="Ended"
      flush
      aside={
        <>
          <span>kept for a day, at most 200 workers</span>
          <TableViewButton name={TABLE} columns={columns} />
        </>
      }
    >
      <DataTable
        label="Ended workers"
        name={TABLE}
        columns={columns}
        className="[--stacked-lead:0_0_6.25rem]"
        rows={endedRows(workers, open)}
        // By place, so that rows do not move while workers end.
        rowKey={(_, index) => index}
        empty="No ended worker is on record."
      />
      <Dialog open={shown !== null} onOpenChange={() => setShown(null)}>
        {shown && <WorkerJobsDialog worker={shown} />}
      </Dialog>
    </Panel>
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

/** What other columns say, below the worker's name where they have no room; where rows have two lines they are on the second. */
const BELOW = 'block h-6 truncate text-faint text-xs leading-6 @max-xl:hidden @min-3xl:hidden';
const SECOND_LINE = '@min-xl:@max-3xl:hidden';

/** "in 1 m 4 s". */
const spanOf = ({ spanMs }: Extract<EndedRow, { kind: 'loop' }>['loop']): string =>
  `in ${duration(Math.max(1_000, spanMs))}`;

const columnsOf = (
  toggle: (key: string) => void,
  show: (worker: Worker) => void,
): readonly DataColumn<EndedRow>[] => [
  {
    key: 'status',
    head: 'Status',
    pinned: true,
    width: 104,
    truncate: false,
    stacked: 'lead',
    cell: byWorker(({ status }) => <WorkerBadge status={status} />),
  },
  {
    key: 'worker',
    head: 'Worker',
    pinned: true,
    stacked: 'fill',
    title: (row) => (row.kind === 'loop' ? undefined : row.worker.workerId),
    cell: (row) =>
      row.kind === 'loop' ? (
        <>
          <button
            type="button"
            aria-expanded={row.open}
            onClick={() => toggle(row.key)}
            className="flex h-6 max-w-full items-center gap-1 hover:underline"
          >
            <ChevronRight aria-hidden className={cn('size-3.5 shrink-0', row.open && 'rotate-90')} />
            <span className="min-w-0 truncate">
              <span translate="no" className="font-mono text-xs">
                {row.loop.name}
              </span>{' '}
              <span className="font-medium text-bad">
                <span className="@max-xl:sr-only">crashed </span>
                {count(row.loop.workers.length, 'time')}
                <span className="@max-xl:hidden"> {spanOf(row.loop)}</span>
              </span>
            </span>
          </button>
          <span className={BELOW}>
            latest {row.loop.cause}, {count(row.loop.reclaimed, 'job')} reclaimed
          </span>
        </>
      ) : (
        <>
          <span
            translate="no"
            className={cn('block truncate font-mono text-xs leading-6', row.inLoop && 'pl-5')}
          >
            {row.worker.workerId}
          </span>
          <span className={cn(BELOW, row.inLoop && 'pl-5')}>
            {endCause(row.worker)}
            {jobsText(row.worker) !== null && (
              <>
                , <JobsOutcome worker={row.worker} show={show} />
              </>
            )}
          </span>
        </>
      ),
  },
  {
    key: 'host',
    head: 'Host and pid',
    width: 150,
    narrow: '@max-4xl:hidden',
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
    narrow: SECOND_LINE,
    stacked: 'tag',
    title: (row) => revealHidden(latestOf(row)?.end?.cause ?? ''),
    cell: (row) =>
      row.kind === 'loop' ? (
        <>
          <span className="@min-xl:hidden">{spanOf(row.loop)}, </span>latest {row.loop.cause}
        </>
      ) : (
        endCause(row.worker)
      ),
  },
  {
    key: 'jobs',
    head: 'Jobs',
    width: 190,
    narrow: SECOND_LINE,
    stacked: 'text',
    cellClassName: '@max-xl:text-right',
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
    narrow: '@max-5xl:hidden',
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
    narrow: '@max-5xl:hidden',
    numeric: true,
    cell: byWorker((worker) => <Duration ms={Math.max(0, endedAt(worker) - worker.startedAt)} />),
  },
  {
    key: 'ended',
    head: 'Ended',
    width: 96,
    numeric: true,
    stacked: 'end',
    cell: byWorker((worker) => <RelativeTime at={endedAt(worker)} className="text-muted" />),
  },
];

/** Whether the jobs of the worker were reclaimed, or their leases expired; null: it had none. */
function jobsText({ end, jobs }: Worker): string | null {
  if (end && end.reclaimed > 0) return `${count(end.reclaimed, 'job')} reclaimed`;
  return !end && jobs.length > 0 ? `${count(jobs.length, 'lease')} expired` : null;
}

/** Opens the list of the worker's jobs. */
function JobsOutcome({ worker, show }: { worker: Worker; show: (worker: Worker) => void }) {
  const words = jobsText(worker);
  if (worker.partial && words === null) return '–';
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
