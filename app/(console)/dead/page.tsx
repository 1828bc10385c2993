import { DeadPage } from '@/components/dead-letters/dead-page';
import { JobPanelFrame } from '@/components/jobs/job-panel-frame';
import { PageHeader } from '@/components/shell/page-header';

export const metadata = { title: 'Dead letters' };

export default function Page() {
  return (
    <JobPanelFrame>
      <PageHeader title="Dead letters" />
      <DeadPage />
    </JobPanelFrame>
  );
}
