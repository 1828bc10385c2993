import { AlertsActions } from '@/components/alerts/alerts-actions';
import { AlertsAge, AlertsPage } from '@/components/alerts/alerts-page';
import { PageHeader } from '@/components/shell/page-header';

export const metadata = { title: 'Alerts' };

export default function Page() {
  return (
    <>
      <PageHeader title="Alerts" age={<AlertsAge />} actions={<AlertsActions />} />
      <AlertsPage />
    </>
  );
}
