import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { QueueActions } from '@/components/queue/queue-actions';
import { QueueAge } from '@/components/queue/queue-age';
import { QueuePage } from '@/components/queue/queue-page';
import { PageHeader } from '@/components/shell/page-header';
import { links } from '@/lib/client/links';
import { queueNameSchema } from '@/lib/contract/names';

type Props = { params: Promise<{ queue: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await params).queue };
}

export default async function Page({ params }: Props) {
  const queue = queueNameSchema.safeParse((await params).queue);
  if (!queue.success) notFound();
  return (
    <>
      <PageHeader
        above={
          <Link href={links.overview()} className="hover:underline">
            Overview
          </Link>
        }
        title={queue.data}
        age={<QueueAge queue={queue.data} />}
        actions={<QueueActions queue={queue.data} />}
      />
      <QueuePage queue={queue.data} />
    </>
  );
}
