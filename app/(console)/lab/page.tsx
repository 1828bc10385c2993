import { LabAge, LabPage } from '@/components/lab/lab-page';
import { PageHeader } from '@/components/shell/page-header';
import { Prefetched } from '@/lib/browser/api/hydration';
import { LAB_QUEUES } from '@/lib/contract/lab/lab-settings';
import { prefetchPage } from '../prefetch';
import { prefetchLab } from './prefetch-lab';

export const metadata = { title: 'Lab' };

export default async function Page() {
  const [page, lab] = await Promise.all([
    prefetchPage(Object.keys(LAB_QUEUES), { workers: 'live' }),
    prefetchLab(),
  ]);
  return (
    <Prefetched state={page}>
      <Prefetched state={lab}>
        <PageHeader title="Lab" age={<LabAge />} />
        <LabPage />
      </Prefetched>
    </Prefetched>
  );
}
