import { RouteList } from '@/components/api-reference/route-list';
import { PageHeader } from '@/components/shell/page-header';
import { routesBySubject } from '@/lib/contract/api/api-reference';

export const metadata = { title: 'API reference' };

export default function Page() {
  return (
    <>
      <PageHeader title="API reference" />
      <RouteList subjects={subjects()} />
    </>
  );
}

const subjects = () =>
  routesBySubject().map(({ subject, routes }) => ({
    subject,
    routes: routes.map(({ name, route: { method, path, summary } }) => ({ name, method, path, summary })),
  }));
