import { DeadPage } from '@/components/dead-letters/dead-page';
import { JobPanelFrame } from '@/components/jobs/job-panel-frame';
import { PageHeader } from '@/components/shell/page-header';
import { Prefetched } from '@/lib/browser/api/hydration';
import { keys } from '@/lib/browser/api/query-keys';
import { type ListProps, prefetchList } from '../prefetch-reply';

export const metadata = { title: 'Dead letters' };

export default async function Page(props: ListProps) {
  return (
    <Prefetched state={await prefetchList(props, keys.groups(''), ({ dead }) => dead.groups(''))}>
      <JobPanelFrame>
        <PageHeader title="Dead letters" />
        <DeadPage />
      </JobPanelFrame>
    </Prefetched>
  );
}
