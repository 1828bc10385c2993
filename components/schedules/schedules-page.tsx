'use client';
import { useState } from 'react';
import { LoadError } from '@/components/shared/load-error';
import { urlText, useUrlState } from '@/components/shared/url-state';
import { Callout } from '@/components/ui/callout';
import { Button } from '@/components/ui/controls/button';
import { EmptyState } from '@/components/ui/empty-state';
import { CalendarClock, Plus } from '@/components/ui/icons';
import { lazyPart } from '@/components/ui/lazy-part';
import { Panel } from '@/components/ui/panel';
import { Pagination } from '@/components/ui/tables/pagination';
import { useNow } from '@/components/ui/text/clock-provider';
import { DataAge } from '@/components/ui/text/relative-time';
import { useMay } from '@/lib/browser/access/use-permissions';
import { useSchedules } from '@/lib/browser/use-schedules';
import type { ListedSchedule } from '@/lib/contract/schedules/schedule-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { count, plural } from '@/lib/format/plural';
import { isOverdue } from './labels';
import { SchedulesTable } from './schedules-table';

const CreateScheduleDialog = lazyPart(() =>
  import('./schedule-dialog').then((module) => module.CreateScheduleDialog),
);

const PARSERS = { cursor: urlText };
const useCursor = () => useUrlState(PARSERS, 'push');

/** All schedules by id, so that rows keep their position. */
export function SchedulesPage() {
  const [{ cursor }, set] = useCursor();
  const query = useSchedules(cursor);
  const { data: page, error, isPlaceholderData } = query;
  if (error && !page) {
    return <LoadError title="The schedules could not be loaded" query={query} />;
  }
  const shown = page?.schedules.length ?? 0;
  return (
    <div className="space-y-3 px-4 pb-6 max-sm:px-2">
      {page && <Overdue schedules={page.schedules} />}
      {page && <WithoutMaker schedules={page.schedules} />}
      <Panel flush>
        {page?.total === 0 ? (
          <EmptyState icon={<CalendarClock />} title="No schedules yet" action={<NewSchedule />}>
            A schedule enqueues jobs on a cron expression (with time zone) or a fixed interval. Each run is
            enqueued exactly once, whatever the number of workers.
          </EmptyState>
        ) : (
          <>
            <SchedulesTable schedules={page?.schedules ?? null} />
            <Pagination
              shown={shown}
              total={page?.total}
              noun={plural(page?.total ?? 0, 'schedule')}
              isFirst={cursor === null}
              hasNext={page !== undefined && page.nextCursor !== null}
              pending={isPlaceholderData}
              onFirst={() => set({ cursor: null })}
              onNext={() => set({ cursor: page?.nextCursor ?? null })}
            />
          </>
        )}
      </Panel>
    </div>
  );
}

/** Runs that are due and were not enqueued. */
function Overdue({ schedules }: { schedules: readonly ListedSchedule[] }) {
  const now = useNow(1_000);
  const overdue = schedules.filter((schedule) => isOverdue(schedule, now));
  if (overdue.length === 0) return null;
  return (
    <Callout tone="warn" title={`${count(overdue.length, 'schedule')} overdue.`}>
      Workers and consoles run schedules. Either none can reach Redis, or these queues do not accept jobs:{' '}
      {overdue
        .slice(0, 5)
        .map(({ id }) => id)
        .join(', ')}
      {overdue.length > 5 && ' and more'}.
    </Callout>
  );
}

/** Shown to administrators only. */
function WithoutMaker({ schedules }: { schedules: readonly ListedSchedule[] }) {
  const refused = schedules.filter(({ makerRefusal }) => makerRefusal !== null);
  const [first] = refused;
  if (!first) return null;
  return (
    <Callout
      tone="warn"
      title={`The creator of ${count(refused.length, 'schedule')} no longer has permission to create it.`}
    >
      {revealHidden(first.id)}: {revealHidden(first.makerRefusal ?? '')} The schedule keeps running. Change or
      delete it if it should not.
    </Callout>
  );
}

export function SchedulesAge() {
  const [{ cursor }] = useCursor();
  return <DataAge at={useSchedules(cursor).data?.at} staleAfterMs={10_000} />;
}

export function NewSchedule() {
  const [open, setOpen] = useState(false);
  if (!useMay('operate')) return null;
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus aria-hidden />
        New schedule
      </Button>
      {open && <CreateScheduleDialog onClose={() => setOpen(false)} />}
    </>
  );
}
