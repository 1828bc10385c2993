import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { JobPanelFrame } from '@/components/jobs/job-panel-frame';
import { QueuePage } from '@/components/queues/queue-page';
import { Prefetched } from '@/lib/browser/api/hydration';
import { queueNameSchema } from '@/lib/contract/name-schemas';
import { prefetchPage } from '../../prefetch';
import { QueueHead } from './queue-head';

type Props = { params: Promise<{ queue: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await params).queue };
}

export default async function Page({ params }: Props) {
  const queue = queueNameSchema.safeParse((await params).queue);
  if (!queue.success) notFound();
  return (
    <Prefetched state={await prefetchPage([queue.data])}>
      <JobPanelFrame>
        <QueueHead queue={queue.data} tab="jobs" />
        <QueuePage queue={queue.data} />
      </JobPanelFrame>
    </Prefetched>
  );
}
