import { LabAge, LabPage } from '@/components/lab/lab-page';
import { PageHeader } from '@/components/shell/page-header';
import { Prefetched } from '@/lib/browser/api/hydration';
import { LAB_QUEUES } from '@/lib/contract/lab/lab-settings';
import { prefetchPage } from '../prefetch';

export const metadata = { title: 'Lab' };

export default async function Page() {
  return (
    <Prefetched state={await prefetchPage(Object.keys(LAB_QUEUES), { lab: true })}>
      <PageHeader title="Lab" age={<LabAge />} />
      <LabPage />
    </Prefetched>
  );
}
