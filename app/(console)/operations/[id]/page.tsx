import type { Metadata } from 'next';
import Link from 'next/link';
import { OperationPage } from '@/components/operations/operation-page';
import { OperationsAge, OperationTitle } from '@/components/operations/operation-status';
import { PageHeader } from '@/components/shell/page-header';
import { Prefetched } from '@/lib/browser/api/hydration';
import { keys } from '@/lib/browser/api/query-keys';
import { links } from '@/lib/browser/links';
import { prefetchReply } from '../../prefetch-reply';

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Operation ${decodeURIComponent((await params).id)}` };
}

export default async function Page({ params }: Props) {
  const id = decodeURIComponent((await params).id);
  return (
    <Prefetched state={await prefetchReply(keys.operation(id), ({ operations }) => operations.get(id))}>
      <PageHeader
        above={
          <Link href={links.operations()} className="hover:underline">
            Operations
          </Link>
        }
        title={<OperationTitle id={id} />}
        age={<OperationsAge />}
      />
      <OperationPage id={id} />
    </Prefetched>
  );
}
