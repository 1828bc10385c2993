import { DeadPage } from '@/components/dead-letters/dead-page';
import { JobPanelFrame } from '@/components/jobs/job-panel-frame';
import { PageHeader } from '@/components/shell/page-header';
import { Prefetched } from '@/lib/browser/api/hydration';
import { keys } from '@/lib/browser/api/query-keys';
import { PAGE_LIMIT_DEFAULT } from '@/lib/contract/api-paths';
import { type ListProps, prefetchList } from '../prefetch-reply';

export const metadata = { title: 'Dead letters' };

/** Never aborted: the page stops waiting for the reading, which has its own deadlines. */
const unended = new AbortController().signal;

export default async function Page({ searchParams }: ListProps) {
  const { view, ...filters } = await searchParams;
  const list = { searchParams: Promise.resolve(filters) };
  const state =
    view === 'rows'
      ? await prefetchList(list, keys.search('', null), ({ dead }) =>
          dead.search({ q: '', limit: PAGE_LIMIT_DEFAULT }, unended),
        )
      : await prefetchList(list, keys.groupsWithFacets(''), ({ dead }) => dead.groups(''), true);
  return (
    <Prefetched state={state}>
      <JobPanelFrame>
        <PageHeader title="Dead letters" />
        <DeadPage />
      </JobPanelFrame>
    </Prefetched>
  );
}
