import { PageHeader } from '@/components/shell/page-header';
import { WorkerGroupButton } from '@/components/workers/worker-controls';
import { WorkersAge, WorkersPage } from '@/components/workers/workers-page';
import { Prefetched } from '@/lib/browser/api/hydration';
import { prefetchPage } from '../prefetch';

export const metadata = { title: 'Workers' };

export default async function Page() {
  return (
    <Prefetched state={await prefetchPage([], { workers: 'few' })}>
      <PageHeader title="Workers" age={<WorkersAge />} actions={<WorkerGroupButton />} />
      <WorkersPage />
    </Prefetched>
  );
}
