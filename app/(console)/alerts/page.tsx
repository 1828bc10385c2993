import { AlertsActions } from '@/components/alerts/alerts-actions';
import { AlertsAge, AlertsPage } from '@/components/alerts/alerts-page';
import { PageHeader } from '@/components/shell/page-header';
import { Prefetched } from '@/lib/browser/api/hydration';
import { prefetchAlerts } from '../prefetch';

export const metadata = { title: 'Alerts' };

export default async function Page() {
  return (
    <Prefetched state={await prefetchAlerts()}>
      <PageHeader title="Alerts" age={<AlertsAge />} actions={<AlertsActions />} />
      <AlertsPage />
    </Prefetched>
  );
}
