import { DeadPage } from '@/components/dead-letters/dead-page';
import { PageHeader } from '@/components/shell/page-header';

export const metadata = { title: 'Dead letters' };

export default function Page() {
  return (
    <>
      <PageHeader title="Dead letters" />
      <DeadPage />
    </>
  );
}
