import { NewOperation } from '@/components/operations/new-operation';
import { OperationsAge } from '@/components/operations/operation-status';
import { OperationsPage } from '@/components/operations/operations-page';
import { PageHeader } from '@/components/shell/page-header';
import { Prefetched } from '@/lib/browser/api/hydration';
import { keys } from '@/lib/browser/api/query-keys';
import { PAGE_LIMIT_DEFAULT } from '@/lib/contract/api-paths';
import { type ListProps, prefetchList } from '../prefetch-reply';

export const metadata = { title: 'Operations' };

export default async function Page(props: ListProps) {
  const state = await prefetchList(props, keys.operationList(null, null, null), ({ operations }) =>
    operations.list({ limit: PAGE_LIMIT_DEFAULT }),
  );
  return (
    <Prefetched state={state}>
      <PageHeader title="Operations" age={<OperationsAge />} actions={<NewOperation />} />
      <OperationsPage />
    </Prefetched>
  );
}
