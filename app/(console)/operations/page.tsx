import { NewOperation } from '@/components/operations/new-operation';
import { OperationsAge } from '@/components/operations/operation-status';
import { OperationsPage } from '@/components/operations/operations-page';
import { PageHeader } from '@/components/shell/page-header';

export const metadata = { title: 'Operations' };

export default function Page() {
  return (
    <>
      <PageHeader title="Operations" age={<OperationsAge />} actions={<NewOperation />} />
      <OperationsPage />
    </>
  );
}
