import { PageHeader } from '@/components/shell/page-header';
import { WorkersAge, WorkersPage } from '@/components/workers/workers-page';

export const metadata = { title: 'Workers' };

export default function Page() {
  return (
    <>
      <PageHeader title="Workers" age={<WorkersAge />} />
      <WorkersPage />
    </>
  );
}
