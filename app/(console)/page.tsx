import type { Metadata } from 'next';
import { connection } from 'next/server';
import { OverviewAge, OverviewPage } from '@/components/overview/overview-page';
import { PageHeader } from '@/components/shell/page-header';
import { productTitle } from '@/lib/server/environment';

/** The template of the layout beside it is for the pages below. */
export async function generateMetadata(): Promise<Metadata> {
  await connection();
  return { title: { absolute: `Overview · ${productTitle()}` } };
}

export default function Page() {
  return (
    <>
      <PageHeader title="Overview" age={<OverviewAge />} />
      <OverviewPage />
    </>
  );
}
