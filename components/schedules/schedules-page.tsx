'use client';
import { CalendarClock, Plus } from 'lucide-react';
import { parseAsString, useQueryState } from 'nuqs';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { EmptyState } from '@/components/ui/empty-state';
import { ErrorState } from '@/components/ui/error-state';
import { useNow } from '@/components/ui/now';
import { Pagination } from '@/components/ui/pagination';
import { Panel } from '@/components/ui/panel';
import { DataAge } from '@/components/ui/relative-time';
import { useMay } from '@/lib/client/permissions';
import { useSchedules } from '@/lib/client/use-schedules';
import type { ListedSchedule } from '@/lib/contract/schedules';
import { count, plural } from '@/lib/format/plural';
import { visible } from '@/lib/format/text';
import { CreateScheduleDialog } from './schedule-dialog';
import { SchedulesTable } from './schedules-table';
import { isOverdue } from './words';

const useCursor = () => useQueryState('cursor', parseAsString.withOptions({ history: 'push' }));

/** Every schedule, by id, so that rows keep their place while their next runs change. */
export function SchedulesPage() {
  const [cursor, setCursor] = useCursor();
  const { data: page, error, refetch, isFetching, isPlaceholderData } = useSchedules({ cursor });
  if (error && !page) {
    return (
      <ErrorState
        title="The schedules could not be loaded"
        message={error.detail}
        reference={error.requestId ?? undefined}
        retrying={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  const shown = page?.schedules.length ?? 0;
  return (
    <div className="space-y-3 px-4 pb-6 max-sm:px-2">
      {page && <Overdue schedules={page.schedules} />}
      {page && <WithoutMaker schedules={page.schedules} />}
      <Panel flush>
        {page?.total === 0 ? (
          <EmptyState icon={<CalendarClock />} title="No schedules yet" action={<NewSchedule />}>
            A schedule enters a job by the clock of a time zone or every so often, exactly once a slot,
            however many workers run.
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
              onFirst={() => void setCursor(null)}
              onNext={() => void setCursor(page?.nextCursor ?? null)}
            />
          </>
        )}
      </Panel>
    </div>
  );
}

/** Slots that come and are not dealt with: the one thing about schedules that is nobody's decision. */
function Overdue({ schedules }: { schedules: readonly ListedSchedule[] }) {
  const now = useNow(1_000);
  const overdue = schedules.filter((schedule) => isOverdue(schedule, now));
  if (overdue.length === 0) return null;
  return (
    <Callout tone="warn" title={`${count(overdue.length, 'schedule')} overdue.`}>
      Workers and consoles tick schedules. Either none can reach Redis, or the queue of these cannot be
      entered:{' '}
      {overdue
        .slice(0, 5)
        .map(({ id }) => id)
        .join(', ')}
      {overdue.length > 5 && ' and more'}.
    </Callout>
  );
}

/** Only administrators are told. */
function WithoutMaker({ schedules }: { schedules: readonly ListedSchedule[] }) {
  const refused = schedules.filter(({ makerRefusal }) => makerRefusal !== null);
  const [first] = refused;
  if (!first) return null;
  return (
    <Callout tone="warn" title={`The maker of ${count(refused.length, 'schedule')} may no longer create it.`}>
      {visible(first.id)}: {visible(first.makerRefusal ?? '')} A schedule belongs to its queue and goes on.
      Change or delete what shall not.
    </Callout>
  );
}

export function SchedulesAge() {
  const [cursor] = useCursor();
  return <DataAge at={useSchedules({ cursor }).data?.at} staleAfterMs={10_000} />;
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
