'use client';
import { EyeOff, Inbox } from 'lucide-react';
import Link from 'next/link';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { ErrorState } from '@/components/ui/error-state';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { links } from '@/lib/client/links';
import { useQueueConfig } from '@/lib/client/use-config';
import { ChangesPanel } from './changes-panel';
import { DeletePanel } from './delete-panel';
import { SettingsForm } from './settings-form';
import { ShardsPanel } from './shards-panel';

/** The live settings of a queue, and who changed what. */
export function SettingsPage({ queue }: { queue: string }) {
  const { data, error, refetch, isFetching } = useQueueConfig(queue);
  if (data)
    return (
      <div className="space-y-3 px-4 pb-6 max-sm:px-2">
        <SettingsForm queue={queue} reported={data} />
        <ShardsPanel queue={queue} shards={data.shards} />
        <ChangesPanel queue={queue} />
        <DeletePanel queue={queue} />
      </div>
    );
  if (!error) return <Waiting />;
  if (error.code === 'QUEUE_NOT_FOUND')
    return (
      <EmptyState
        icon={<Inbox />}
        title={`There is no queue called ${queue}`}
        action={
          <Button asChild>
            <Link href={links.overview()}>Go to the overview</Link>
          </Button>
        }
      >
        A queue exists from its first job on. Check the spelling, or enqueue a job to make it.
      </EmptyState>
    );
  if (error.code === 'FORBIDDEN')
    return (
      <EmptyState
        icon={<EyeOff />}
        title="The settings are of the whole queue"
        action={
          <Button asChild>
            <Link href={links.queue(queue)}>Go to its jobs</Link>
          </Button>
        }
      >
        You see some of its tenants.
      </EmptyState>
    );
  return (
    <ErrorState
      title="The settings could not be loaded"
      message={error.detail}
      reference={error.requestId ?? undefined}
      retrying={isFetching}
      onRetry={() => void refetch()}
    />
  );
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
