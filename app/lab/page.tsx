import type { Metadata } from 'next';
import { LabAge } from '@/components/lab/lab-age';
import { LabPage } from '@/components/lab/lab-page';
import { PageHeader } from '@/components/shell/page-header';

export const metadata: Metadata = { title: 'Lab' };

export default function Page() {
  return (
    <>
      <PageHeader
        title="Lab"
        description="Make a worker fail, hang or crash, and watch its jobs come back."
        age={<LabAge />}
      />
      <LabPage />
    </>
  );
}
