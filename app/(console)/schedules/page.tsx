import { NewSchedule, SchedulesAge, SchedulesPage } from '@/components/schedules/schedules-page';
import { PageHeader } from '@/components/shell/page-header';
import { Prefetched } from '@/lib/browser/api/hydration';
import { keys } from '@/lib/browser/api/query-keys';
import { PAGE_LIMIT_DEFAULT } from '@/lib/contract/api-paths';
import { type ListProps, prefetchList } from '../prefetch-reply';

export const metadata = { title: 'Schedules' };

export default async function Page(props: ListProps) {
  const state = await prefetchList(props, keys.scheduleList(null), ({ schedules }) =>
    schedules.list({ limit: PAGE_LIMIT_DEFAULT }),
  );
  return (
    <Prefetched state={state}>
      <PageHeader title="Schedules" age={<SchedulesAge />} actions={<NewSchedule />} />
      <SchedulesPage />
    </Prefetched>
  );
}
