'use client';
import type { Route } from 'next';
import Link from 'next/link';
import { missingHandlerLabel } from '@/components/shared/coverage-text';
import { LoadError } from '@/components/shared/load-error';
import { KeyValue } from '@/components/ui/key-value';
import { Dialog, DialogContent } from '@/components/ui/overlays/dialog';
import { Skeleton } from '@/components/ui/skeleton';
import { type DataColumn, DataTable } from '@/components/ui/tables/data-table';
import { useTimeZone } from '@/components/ui/text/time-zone-choice';
import { links } from '@/lib/browser/links';
import { useScheduleRuns } from '@/lib/browser/use-schedules';
import { SCHEDULE_RUNS_MAX } from '@/lib/contract/schedules/schedule-limits';
import type { RecentRun, ScheduleDetail } from '@/lib/contract/schedules/schedule-schemas';
import { absoluteLocal } from '@/lib/format/date-time';
import { fullNumber } from '@/lib/format/number';
import { count } from '@/lib/format/plural';
import { expressionLabel, RUN_LABELS, runTitle, timingLabel, timingZone } from './labels';

/** The past of one schedule: each run with its job, and the fire times that had none. */
export function ScheduleRunsDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useScheduleRuns(id);
  const { data: schedule, error } = query;
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={`Runs of ${id}`} size="lg" className="sm:h-[min(40rem,85dvh)]">
        {schedule ? (
          <Runs schedule={schedule} />
        ) : error ? (
          <LoadError title="The schedule could not be loaded" query={query} />
        ) : (
          <Skeleton className="h-60 w-full" />
        )}
      </DialogContent>
    </Dialog>
  );
}

function Runs({ schedule }: { schedule: ScheduleDetail }) {
  const { queue, job, timing, runs, entered, skipped } = schedule;
  const missing = missingHandlerLabel(schedule);
  const chosen = useTimeZone();
  const zone = timingZone(timing) ?? chosen;
  return (
    <div className="grid gap-3">
      <KeyValue
        items={[
          { label: 'Queue', value: queue },
          {
            label: 'Job type',
            value: (
              <>
                {job.jobType}
                {missing && (
                  <span className="block text-warn">
                    {missing} Its jobs fail until a worker does, or until you change the schedule.
                  </span>
                )}
              </>
            ),
          },
          {
            label: 'When',
            value: [timingLabel(timing), expressionLabel(timing)].filter(Boolean).join(': '),
          },
          { label: 'Enqueued', value: fullNumber(entered) },
          {
            label: 'Without a job',
            value:
              skipped === 0
                ? 'none'
                : `${count(skipped, 'fire time')}: missed, refused by the queue, or the job before had not finished`,
          },
        ]}
      />
      <DataTable
        label="Runs"
        columns={columnsOf(queue, zone)}
        rows={runs.toReversed()}
        rowKey={({ at }) => at}
        empty="No run is on record."
        more={
          runs.length >= SCHEDULE_RUNS_MAX && (
            <p className="px-3 py-2 text-faint text-xs">The last {SCHEDULE_RUNS_MAX} runs are kept.</p>
          )
        }
      />
    </div>
  );
}

const columnsOf = (queue: string, zone: string | undefined): readonly DataColumn<RecentRun>[] => [
  {
    key: 'at',
    head: 'Fire time',
    rowHeader: true,
    className: 'w-40 sm:w-48',
    cellClassName: 'truncate pl-3',
    title: ({ at }) => absoluteLocal(at, zone),
    cell: ({ at }) => absoluteLocal(at, zone).slice(0, 19),
  },
  {
    key: 'outcome',
    head: 'Outcome',
    cell: (run) => (
      <span className="flex min-w-0 items-center gap-1.5">
        <span aria-hidden className={`size-2 shrink-0 rounded-full ${RUN_LABELS[run.outcome].color}`} />
        <span className="truncate">{runTitle(run)}</span>
      </span>
    ),
  },
  {
    key: 'job',
    head: 'Job',
    className: 'w-24 sm:w-auto',
    title: ({ jobId }) => jobId ?? undefined,
    cell: ({ jobId }) =>
      jobId === null ? (
        <span className="text-faint">no job</span>
      ) : (
        <Link
          href={links.job(queue, jobId) as Route}
          className="font-mono text-accent text-xs hover:underline"
        >
          {jobId}
        </Link>
      ),
  },
];
