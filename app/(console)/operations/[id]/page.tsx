import Link from 'next/link';
import { OperationPage } from '@/components/operations/operation-page';
import { OperationsAge } from '@/components/operations/operation-status';
import { PageHeader } from '@/components/shell/page-header';
import { links } from '@/lib/browser/links';

export const metadata = { title: 'Operation' };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return (
    <>
      <PageHeader
        above={
          <Link href={links.operations()} className="hover:underline">
            Operations
          </Link>
        }
        title="Operation"
        age={<OperationsAge />}
      />
      <OperationPage id={decodeURIComponent(id)} />
    </>
  );
}
