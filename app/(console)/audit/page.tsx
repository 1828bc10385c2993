import { AuditActions, AuditAge } from '@/components/audit/audit-head';
import { AuditPage } from '@/components/audit/audit-page';
import { PageHeader } from '@/components/shell/page-header';
import { Prefetched } from '@/lib/browser/api/hydration';
import { keys } from '@/lib/browser/api/query-keys';
import { type ListProps, prefetchList } from '../prefetch-reply';

export const metadata = { title: 'Audit log' };

/** Most of the first screen: of a whole page the HTML would be too large. */
const FIRST_EVENTS = 20;

export default async function Page(props: ListProps) {
  const state = await prefetchList(props, keys.auditPage({}, null), ({ audit }) =>
    audit.list({ limit: FIRST_EVENTS }),
  );
  return (
    <Prefetched state={state}>
      <PageHeader title="Audit log" age={<AuditAge />} actions={<AuditActions />} />
      <AuditPage />
    </Prefetched>
  );
}
