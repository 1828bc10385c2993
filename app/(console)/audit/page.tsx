import { AuditActions, AuditAge } from '@/components/audit/audit-head';
import { AuditPage } from '@/components/audit/audit-page';
import { PageHeader } from '@/components/shell/page-header';
import { Prefetched } from '@/lib/browser/api/hydration';
import { keys } from '@/lib/browser/api/query-keys';
import { PAGE_LIMIT_DEFAULT } from '@/lib/contract/api-paths';
import { type ListProps, prefetchList } from '../prefetch-reply';

export const metadata = { title: 'Audit log' };

export default async function Page(props: ListProps) {
  const state = await prefetchList(props, keys.auditPage({}, null), ({ audit }) =>
    audit.list({ limit: PAGE_LIMIT_DEFAULT }),
  );
  return (
    <Prefetched state={state}>
      <PageHeader title="Audit log" age={<AuditAge />} actions={<AuditActions />} />
      <AuditPage />
    </Prefetched>
  );
}
