'use client';
import type { Route } from 'next';
import Link from 'next/link';
import { useRef } from 'react';
import { missingHandlerLabel } from '@/components/shared/coverage-text';
import { useDialog } from '@/components/shared/use-dialog';
import { useListKeys } from '@/components/shared/use-list-keys';
import { Badge } from '@/components/ui/badge';
import { cn } from '@/components/ui/cn';
import { CirclePause, TriangleAlert } from '@/components/ui/icons';
import { lazyPart } from '@/components/ui/lazy-part';
import { type DataColumn, DataTable } from '@/components/ui/tables/data-table';
import { useNow } from '@/components/ui/text/clock-provider';
import { Num } from '@/components/ui/text/number';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { links } from '@/lib/browser/links';
import type { ListedSchedule, ScheduleSummary } from '@/lib/contract/schedules/schedule-schemas';
import { revealHidden } from '@/lib/format/display-text';
import {
  expressionLabel,
  isOverdue,
  lastJobOutcome,
  OUTCOME_LABELS,
  timingLabel,
  timingZone,
} from './labels';
import { RecentRuns } from './recent-runs';
import { ScheduleRowActions } from './schedule-row-actions';

const ScheduleRunsDialog = lazyPart(() =>
  import('./schedule-runs-dialog').then((module) => module.ScheduleRunsDialog),
);

/** Opens the past of the schedule; the address has it, so that it can be shared. */
function ScheduleName({ id }: { id: string }) {
  const [open, setOpen] = useDialog(RUNS, () => true, id);
  return (
    <>
      <button
        type="button"
        data-row-link
        title={`Runs of ${id}`}
        className="max-w-full truncate rounded-xs align-bottom font-medium hover:underline"
        onClick={() => setOpen('runs')}
      >
        {id}
      </button>
      {open && <ScheduleRunsDialog id={id} onClose={() => setOpen(null)} />}
    </>
  );
}

/** `schedules` is null while loading. */
export function SchedulesTable({
  schedules,
  empty,
}: {
  schedules: readonly ListedSchedule[] | null;
  empty: string;
}) {
  const isSkipping = schedules?.some(({ skipped }) => skipped > 0) ?? false;
  const region = useRef<HTMLDivElement>(null);
  useListKeys(region);
  return (
    <div ref={region}>
      <DataTable
        label="Schedules"
        name={SCHEDULES_TABLE}
        columns={isSkipping ? COLUMNS_WITH_SKIPPED : SCHEDULE_COLUMNS}
        rows={schedules}
        rowKey={({ id }) => id}
        empty={empty}
      />
    </div>
  );
}

/** `said` stands in for the sign where it is read aloud; `text` null: there is nothing to warn of. */
function WarningSign({ said, text }: { said: string; text: string | null }) {
  if (text === null) return null;
  return (
    <span className="mr-1 inline-flex align-[-2px] text-warn" title={revealHidden(text)}>
      <TriangleAlert aria-hidden className="size-3.5" />
      <span className="sr-only">{said}: </span>
    </span>
  );
}

/** Where the columns of the last run have no room, the sign beside the name is all that says it. */
function Warnings({ schedule }: { schedule: ListedSchedule }) {
  // The creator lost the permission; the schedule keeps running until an administrator changes it.
  return (
    <>
      <WarningSign said="its creator no longer has permission to create it" text={schedule.makerRefusal} />
      <WarningSign said="no worker knows its jobs" text={missingHandlerLabel(schedule)} />
    </>
  );
}

function PausedBadge({ schedule: { actor, reason } }: { schedule: ScheduleSummary }) {
  return (
    <Badge
      icon={<CirclePause aria-hidden />}
      title={revealHidden(reason ? `${actor}: ${reason}` : `by ${actor}`)}
    >
      Paused
    </Badge>
  );
}

function NextRun({ schedule }: { schedule: ScheduleSummary }) {
  const overdue = isOverdue(schedule, useNow(1_000));
  const zone = timingZone(schedule.timing);
  if (schedule.nextAt === null) return <span className="text-faint">ended</span>;
  if (!overdue) return <RelativeTime at={schedule.nextAt} zone={zone} />;
  return (
    <span className="inline-flex items-center gap-1 text-warn">
      <TriangleAlert aria-hidden className="size-3.5 shrink-0" />
      <span className="sr-only">overdue: </span>
      <RelativeTime at={schedule.nextAt} zone={zone} />
    </span>
  );
}

/** Time and outcome of the last run, linked to its job. */
function LastRun({ schedule }: { schedule: ListedSchedule }) {
  const { last, queue, timing } = schedule;
  const missing = missingHandlerLabel(schedule);
  if (missing)
    return (
      <span title={missing} className="text-warn">
        {last && <RelativeTime at={last.fireTime} zone={timingZone(timing)} />}{' '}
        {schedule.missingHandler === 'unknown-type' ? 'unknown type' : 'unknown version'}
      </span>
    );
  if (!last) return <span className="text-faint">none yet</span>;
  const { word, meaning } = OUTCOME_LABELS[last.outcome];
  const time = <RelativeTime at={last.fireTime} zone={timingZone(timing)} />;
  if (last.outcome === 'entered' && last.jobId) {
    const outcome = lastJobOutcome(schedule);
    return (
      <Link href={links.job(queue, last.jobId) as Route} className="rounded-xs hover:underline">
        {time} <span className={outcome?.tone}>{outcome?.word ?? word}</span>
      </Link>
    );
  }
  return (
    <span title={meaning}>
      {time} <span className="text-warn">{word}</span>
    </span>
  );
}

const RUNS = ['runs'] as const;
export const SCHEDULES_TABLE = 'schedules';
export const SCHEDULE_COLUMNS: readonly DataColumn<ListedSchedule>[] = [
  {
    key: 'schedule',
    head: 'Schedule',
    pinned: true,
    title: ({ id, job, maker }) => revealHidden(`${id}: ${job.jobType}, created by ${maker}`),
    cell: (schedule) => (
      <>
        <Warnings schedule={schedule} />
        <ScheduleName id={schedule.id} />{' '}
        <span className={cn('@max-xl:hidden', schedule.missingHandler === null ? 'text-faint' : 'text-warn')}>
          {schedule.job.jobType}
        </span>
        <span className="block truncate text-faint text-xs @min-xl:hidden">
          {timingLabel(schedule.timing) ?? expressionLabel(schedule.timing)}
        </span>
        {/* Its columns have no room here, and how it went is what one looks for on a phone. */}
        <span className="flex min-w-0 items-center gap-2 overflow-hidden text-xs @min-xl:hidden">
          <LastRun schedule={schedule} />
          {schedule.recentRuns.length > 0 && <RecentRuns schedule={schedule} />}
        </span>
      </>
    ),
  },
  {
    key: 'queue',
    head: 'Queue',
    width: 150,
    narrow: '@max-5xl:hidden',
    title: ({ queue }) => queue,
    cell: ({ queue }) => (
      <Link href={links.queue(queue) as Route} className="rounded-xs hover:underline">
        {queue}
      </Link>
    ),
  },
  {
    key: 'when',
    head: 'When',
    narrow: '@max-3xl:hidden',
    title: ({ timing }) => [timingLabel(timing), expressionLabel(timing)].filter(Boolean).join('\n'),
    cell: ({ timing }) => (
      <>
        {timingLabel(timing) && <span>{timingLabel(timing)} </span>}
        <span translate="no" className="font-mono text-faint text-xs">
          {expressionLabel(timing)}
        </span>
      </>
    ),
  },
  {
    key: 'next',
    head: 'Next run',
    width: 96,
    truncate: false,
    cell: (schedule) =>
      schedule.paused ? <PausedBadge schedule={schedule} /> : <NextRun schedule={schedule} />,
  },
  {
    key: 'recent',
    head: 'Recent',
    headTitle: 'How the last twelve runs ended, the newest at the right',
    width: 124,
    narrow: '@max-2xl:hidden',
    truncate: false,
    cell: (schedule) => <RecentRuns schedule={schedule} />,
  },
  {
    key: 'last',
    head: 'Last run',
    width: 146,
    narrow: '@max-xl:hidden',
    cell: (schedule) => <LastRun schedule={schedule} />,
  },
  {
    key: 'enqueued',
    head: 'Enqueued',
    width: 82,
    narrow: '@max-6xl:hidden',
    numeric: true,
    cell: ({ entered }) => <Num value={entered} dim />,
  },
  {
    key: 'skipped',
    head: 'Skipped',
    headTitle: 'Fire times without a job: missed, refused by the queue, or the job before had not finished',
    width: 70,
    narrow: '@max-6xl:hidden',
    numeric: true,
    cell: ({ skipped }) => (
      <Num value={skipped} dim className={skipped > 0 ? 'font-medium text-warn' : undefined} />
    ),
  },
  {
    key: 'actions',
    head: 'Actions',
    width: 104,
    truncate: false,
    cell: (schedule) => <ScheduleRowActions schedule={schedule} />,
  },
];

/** Where some were skipped, narrower tables say it, too. */
const COLUMNS_WITH_SKIPPED = SCHEDULE_COLUMNS.map((column) =>
  column.key === 'skipped' ? { ...column, narrow: '@max-xl:hidden' } : column,
);
