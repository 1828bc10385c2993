import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { SettingsPage } from '@/components/settings/settings-page';
import { Prefetched } from '@/lib/browser/api/hydration';
import { keys } from '@/lib/browser/api/query-keys';
import { queueNameSchema } from '@/lib/contract/name-schemas';
import { prefetchReply } from '../../../prefetch-reply';
import { QueueHead } from '../queue-head';

type Props = { params: Promise<{ queue: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Settings of ${(await params).queue}` };
}

export default async function Page({ params }: Props) {
  const queue = queueNameSchema.safeParse((await params).queue);
  if (!queue.success) notFound();
  const state = await prefetchReply(keys.config(queue.data), ({ queues }) => queues.config(queue.data));
  return (
    <Prefetched state={state}>
      <QueueHead queue={queue.data} tab="settings" />
      <SettingsPage queue={queue.data} />
    </Prefetched>
  );
}
