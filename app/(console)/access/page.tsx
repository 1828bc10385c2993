import { AccessAge, AccessPage } from '@/components/access/access-page';
import { PageHeader } from '@/components/shell/page-header';

export const metadata = { title: 'Access' };

export default function Page() {
  return (
    <>
      <PageHeader title="Access" age={<AccessAge />} />
      <AccessPage />
    </>
  );
}
