import { AuditActions, AuditAge } from '@/components/audit/audit-head';
import { AuditPage } from '@/components/audit/audit-page';
import { PageHeader } from '@/components/shell/page-header';

export const metadata = { title: 'Audit log' };

export default function Page() {
  return (
    <>
      <PageHeader title="Audit log" age={<AuditAge />} actions={<AuditActions />} />
      <AuditPage />
    </>
  );
}
