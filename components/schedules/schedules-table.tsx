'use client';
import { CirclePause, TriangleAlert } from 'lucide-react';
import type { Route } from 'next';
import Link from 'next/link';
import { Badge } from '@/components/ui/badge';
import { useNow } from '@/components/ui/now';
import { Num } from '@/components/ui/number';
import { SkeletonRows } from '@/components/ui/skeleton';
import { ColumnHeads, FullRow, Table, TBody, Td, Tr } from '@/components/ui/table';
import { links } from '@/lib/client/links';
import type { ListedSchedule, ScheduleSummary } from '@/lib/contract/schedules';
import { visible } from '@/lib/format/text';
import { RowActions } from './row-actions';
import { SlotTime } from './slot-time';
import { expressionWords, isOverdue, OUTCOME_WORDS, whenWords, zoneOf } from './words';

const COLUMNS = [
  { head: 'Schedule', width: 200 },
  { head: 'Queue', width: 130 },
  { head: 'When', width: undefined },
  { head: 'Next run', width: 110 },
  { head: 'Last run', width: 150 },
  { head: 'Entered', width: 74, numeric: true },
  { head: 'Skipped', width: 74, numeric: true },
  { head: 'Actions', width: 104 },
] as const;

/** `schedules` is null until they are known. */
export function SchedulesTable({ schedules }: { schedules: readonly ListedSchedule[] | null }) {
  return (
    <Table label="Schedules" className="min-w-[66rem] table-fixed">
      <ColumnHeads columns={COLUMNS} />
      <TBody>
        {schedules === null && <SkeletonRows columns={COLUMNS.length} rows={8} />}
        {schedules?.length === 0 && <FullRow span={COLUMNS.length}>No more schedules.</FullRow>}
        {schedules?.map((schedule) => (
          <ScheduleRow key={schedule.id} schedule={schedule} />
        ))}
      </TBody>
    </Table>
  );
}

function ScheduleRow({ schedule }: { schedule: ListedSchedule }) {
  const { id, queue, job, timing, paused } = schedule;
  const words = whenWords(timing);
  return (
    <Tr>
      <Td truncate title={visible(`${id}: ${job.jobType}, made by ${schedule.maker}`)}>
        <MakerRefusal text={schedule.makerRefusal} />
        <span className="font-medium">{id}</span> <span className="text-faint">{job.jobType}</span>
      </Td>
      <Td truncate title={queue}>
        <Link href={links.queue(queue) as Route} className="rounded-xs hover:underline">
          {queue}
        </Link>
      </Td>
      <Td truncate title={[words, expressionWords(timing)].filter(Boolean).join('\n')}>
        {words && <span>{words} </span>}
        <span className="font-mono text-faint text-xs">{expressionWords(timing)}</span>
      </Td>
      <Td>{paused ? <PausedBadge schedule={schedule} /> : <NextRun schedule={schedule} />}</Td>
      <Td truncate>
        <LastRun schedule={schedule} />
      </Td>
      <Td numeric>
        <Num value={schedule.entered} dim />
      </Td>
      <Td numeric>
        <Num value={schedule.skipped} dim />
      </Td>
      <Td>
        <RowActions schedule={schedule} />
      </Td>
    </Tr>
  );
}

/** It goes on all the same: an administrator decides whether it should. */
function MakerRefusal({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <span className="mr-1 inline-flex align-[-2px] text-warn" title={visible(text)}>
      <TriangleAlert aria-hidden className="size-3.5" />
      <span className="sr-only">its maker may no longer create it: </span>
    </span>
  );
}

function PausedBadge({ schedule: { actor, reason } }: { schedule: ScheduleSummary }) {
  return (
    <Badge icon={<CirclePause aria-hidden />} title={visible(reason ? `${actor}: ${reason}` : `by ${actor}`)}>
      Paused
    </Badge>
  );
}

function NextRun({ schedule }: { schedule: ScheduleSummary }) {
  const overdue = isOverdue(schedule, useNow(1_000));
  const zone = zoneOf(schedule.timing);
  if (schedule.nextAt === null) return <span className="text-faint">ended</span>;
  if (!overdue) return <SlotTime at={schedule.nextAt} zone={zone} />;
  return (
    <span className="inline-flex items-center gap-1 text-warn">
      <TriangleAlert aria-hidden className="size-3.5 shrink-0" />
      <span className="sr-only">overdue: </span>
      <SlotTime at={schedule.nextAt} zone={zone} />
    </span>
  );
}

/** When its last slot was, and what became of it; a job that was entered can be opened while it is kept. */
function LastRun({ schedule: { last, queue, timing } }: { schedule: ScheduleSummary }) {
  if (!last) return <span className="text-faint">none yet</span>;
  const { word, meaning } = OUTCOME_WORDS[last.outcome];
  const time = <SlotTime at={last.slot} zone={zoneOf(timing)} />;
  if (last.outcome === 'entered' && last.jobId)
    return (
      <Link href={links.job(queue, last.jobId) as Route} className="rounded-xs hover:underline">
        {time} <span className="text-good">{word}</span>
      </Link>
    );
  return (
    <span title={meaning}>
      {time} <span className="text-warn">{word}</span>
    </span>
  );
}
