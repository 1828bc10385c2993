import Link from 'next/link';
import { OperationPage } from '@/components/operations/operation-page';
import { OperationsAge } from '@/components/operations/operation-status';
import { PageHeader } from '@/components/shell/page-header';
import { Prefetched } from '@/lib/browser/api/hydration';
import { keys } from '@/lib/browser/api/query-keys';
import { links } from '@/lib/browser/links';
import { prefetchReply } from '../../prefetch-reply';

export const metadata = { title: 'Operation' };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const id = decodeURIComponent((await params).id);
  return (
    <Prefetched state={await prefetchReply(keys.operation(id), ({ operations }) => operations.get(id))}>
      <PageHeader
        above={
          <Link href={links.operations()} className="hover:underline">
            Operations
          </Link>
        }
        title="Operation"
        age={<OperationsAge />}
      />
      <OperationPage id={id} />
    </Prefetched>
  );
}
