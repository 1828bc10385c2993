import Link from 'next/link';
import { notFound } from 'next/navigation';
import { RouteDetails } from '@/components/api-reference/route-details';
import { PageHeader } from '@/components/shell/page-header';
import { links } from '@/lib/browser/links';
import { routeReference } from '@/lib/contract/api/api-reference';

export const metadata = { title: 'API reference' };

export default async function Page({ params }: { params: Promise<{ route: string }> }) {
  const { route } = await params;
  const reference = routeReference(route);
  if (!reference) notFound();
  return (
    <>
      <PageHeader
        above={
          <Link href={links.apiReference()} className="hover:underline">
            API reference
          </Link>
        }
        title={route}
      />
      <RouteDetails reference={reference} />
    </>
  );
}
