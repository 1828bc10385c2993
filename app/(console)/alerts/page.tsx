import { AlertsActions } from '@/components/alerts/alerts-actions';
import { AlertsAge, AlertsPage } from '@/components/alerts/alerts-page';
import { PageHeader } from '@/components/shell/page-header';
import { Prefetched } from '@/lib/browser/api/hydration';
import { keys } from '@/lib/browser/api/query-keys';
import { prefetchReply } from '../prefetch-reply';

export const metadata = { title: 'Alerts' };

export default async function Page() {
  return (
    <Prefetched state={await prefetchReply(keys.alerts(), ({ alerts }) => alerts.read())}>
      <PageHeader title="Alerts" age={<AlertsAge />} actions={<AlertsActions />} />
      <AlertsPage />
    </Prefetched>
  );
}
