import { LabAge, LabPage } from '@/components/lab/lab-page';
import { PageHeader } from '@/components/shell/page-header';

export const metadata = { title: 'Lab' };

export default function Page() {
  return (
    <>
      <PageHeader title="Lab" age={<LabAge />} />
      <LabPage />
    </>
  );
}
