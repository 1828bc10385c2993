import { NewSchedule, SchedulesAge, SchedulesPage } from '@/components/schedules/schedules-page';
import { PageHeader } from '@/components/shell/page-header';

export const metadata = { title: 'Schedules' };

export default function Page() {
  return (
    <>
      <PageHeader title="Schedules" age={<SchedulesAge />} actions={<NewSchedule />} />
      <SchedulesPage />
    </>
  );
}
