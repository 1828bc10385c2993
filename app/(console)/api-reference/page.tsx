import { RouteList } from '@/components/api-reference/route-list';
import { PageHeader } from '@/components/shell/page-header';

export const metadata = { title: 'API reference' };

export default function Page() {
  return (
    <>
      <PageHeader title="API reference" />
      <RouteList />
    </>
  );
}
