import { OverviewAge, OverviewPage } from '@/components/overview/overview-page';
import { PageHeader } from '@/components/shell/page-header';

export const metadata = { title: 'Overview' };

export default function Page() {
  return (
    <>
      <PageHeader title="Overview" age={<OverviewAge />} />
      <OverviewPage />
    </>
  );
}
