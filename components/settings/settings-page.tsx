'use client';
import Link from 'next/link';
import { LoadError } from '@/components/shared/load-error';
import { QueueNotFound } from '@/components/shared/queue-not-found';
import { Button } from '@/components/ui/controls/button';
import { EmptyState } from '@/components/ui/empty-state';
import { EyeOff } from '@/components/ui/icons';
import { lazyWithHtml } from '@/components/ui/lazy-part';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { links } from '@/lib/browser/links';
import { useQueueConfig } from '@/lib/browser/queues/use-queue-config';

/** The form needs the schemas of all settings. */
const SettingsPanels = lazyWithHtml(
  () => import('./settings-panels').then((module) => module.SettingsPanels),
  <Waiting />,
);

/** Settings, shards, change history and deletion of a queue. */
export function SettingsPage({ queue }: { queue: string }) {
  const query = useQueueConfig(queue);
  const { data, error } = query;
  if (data) return <SettingsPanels queue={queue} reported={data} />;
  if (!error) return <Waiting />;
  if (error.code === 'QUEUE_NOT_FOUND') return <QueueNotFound queue={queue} />;
  if (error.code === 'FORBIDDEN')
    return (
      <EmptyState
        icon={<EyeOff />}
        title="You don't have access to these settings"
        action={
          <Button asChild>
            <Link href={links.queue(queue)}>Go to its jobs</Link>
          </Button>
        }
      >
        Settings apply to the whole queue. You have access to some of its tenants.
      </EmptyState>
    );
  return <LoadError title="The settings could not be loaded" query={query} />;
}

function Waiting() {
  return (
    <div role="status" aria-busy="true" className="space-y-3 px-4 pb-6 max-sm:px-2">
      <span className="sr-only">Loading</span>
      {['h-48', 'h-72', 'h-56', 'h-40'].map((height) => (
        <Panel key={height} className={height}>
          <Skeleton className="w-1/4" />
          <Skeleton className="mt-6 w-2/3" />
        </Panel>
      ))}
    </div>
  );
}
