'use client';
import { LoadError } from '@/components/shared/load-error';
import { urlText, useUrlState, withFallback } from '@/components/shared/url-state';
import { useDialog } from '@/components/shared/use-dialog';
import { Callout } from '@/components/ui/callout';
import { Button } from '@/components/ui/controls/button';
import { EmptyState } from '@/components/ui/empty-state';
import { CalendarClock, Plus } from '@/components/ui/icons';
import { lazyPart } from '@/components/ui/lazy-part';
import { Panel } from '@/components/ui/panel';
import { Pagination } from '@/components/ui/tables/pagination';
import { TableViewButton } from '@/components/ui/tables/table-view-button';
import { useNow } from '@/components/ui/text/clock-provider';
import { DataAge } from '@/components/ui/text/relative-time';
import { useMay } from '@/lib/browser/access/use-permissions';
import { isFirstPart } from '@/lib/browser/api/hydration';
import { useSchedules } from '@/lib/browser/use-schedules';
import type { ListedSchedule } from '@/lib/contract/schedules/schedule-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { count, plural } from '@/lib/format/plural';
import { isOverdue } from './labels';
import { SCHEDULE_COLUMNS, SCHEDULES_TABLE, SchedulesTable } from './schedules-table';

const CreateScheduleDialog = lazyPart(() =>
  import('./schedule-dialog').then((module) => module.CreateScheduleDialog),
);

/** `q`: part of the id, from a link. */
const PARSERS = { cursor: urlText, q: withFallback(urlText, '') };
const useListView = () => useUrlState(PARSERS, 'push');

/** All schedules by id, so that rows keep their position. */
export function SchedulesPage() {
  const [{ cursor, q }, set] = useListView();
  const query = useSchedules(cursor, q);
  const [open, setOpen] = useNewSchedule();
  const { data: page, error, isPlaceholderData } = query;
  if (error && !page) {
    return <LoadError title="The schedules could not be loaded" query={query} />;
  }
  const shown = page?.schedules.length ?? 0;
  return (
    <div className="space-y-3 px-4 pb-6 max-sm:px-2">
      {open && <CreateScheduleDialog onClose={() => setOpen(null)} />}
      {page && <Overdue schedules={page.schedules} />}
      {page && <WithoutMaker schedules={page.schedules} />}
      <Panel flush>
        {page?.total === 0 && q === '' ? (
          <EmptyState icon={<CalendarClock />} title="No schedules" action={<NewSchedule />}>
            A schedule enqueues jobs on a cron expression (with time zone) or a fixed interval. Each run is
            enqueued exactly once, whatever the number of workers.
          </EmptyState>
        ) : (
          <>
            <div className="flex min-h-9 items-center justify-between border-line border-b bg-sunken px-3 text-sm">
              <span className="flex min-w-0 items-center gap-2 [overflow-wrap:anywhere]">
                <span className="font-medium">{page && count(page.total, 'schedule')}</span>
                {q !== '' && (
                  <>
                    <span className="text-muted">with “{revealHidden(q)}” in the id</span>
                    <Button size="sm" variant="ghost" onClick={() => set({ q: null, cursor: null })}>
                      Show all
                    </Button>
                  </>
                )}
              </span>
              <TableViewButton name={SCHEDULES_TABLE} columns={SCHEDULE_COLUMNS} />
            </div>
            <SchedulesTable
              schedules={page?.schedules ?? null}
              empty={q === '' ? 'No more schedules.' : 'No schedule matches.'}
            />
            {!isFirstPart(query) && (
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
            )}
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
  const [{ cursor, q }] = useListView();
  return <DataAge at={useSchedules(cursor, q).data?.at} staleAfterMs={10_000} />;
}

function useNewSchedule() {
  const may = useMay('operate');
  return useDialog(['new'], () => may);
}

export function NewSchedule() {
  const [, open] = useNewSchedule();
  if (!useMay('operate')) return null;
  return (
    <Button variant="primary" onClick={() => open('new')}>
      <Plus aria-hidden />
      New schedule
    </Button>
  );
}
