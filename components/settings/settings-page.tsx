'use client';
import { EyeOff, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { LoadError } from '@/components/shared/load-error';
import { QueueNotFound } from '@/components/shared/queue-not-found';
import { Button } from '@/components/ui/controls/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { useOffer } from '@/lib/browser/access/use-permissions';
import { links } from '@/lib/browser/links';
import { useOperationWizard } from '@/lib/browser/operation-wizard-context';
import { useQueueConfig } from '@/lib/browser/queues/use-queue-config';
import { ChangesPanel } from './changes-panel';
import { SettingsForm } from './settings-form';
import { ShardsPanel } from './shards-panel';

/** Settings, shards, change history and deletion of a queue. */
export function SettingsPage({ queue }: { queue: string }) {
  const query = useQueueConfig(queue);
  const { data, error } = query;
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

/** Opens the wizard, which counts the jobs and asks for the queue's name. */
function DeletePanel({ queue }: { queue: string }) {
  const ask = useOperationWizard();
  const { missing } = useOffer('destroy', queue);
  return (
    <Panel title="Delete this queue">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="max-w-prose text-muted text-sm">
          Deletes the queue with all its jobs, their history, its settings and its pauses. This cannot be
          undone.
          {missing !== null && <span className="mt-1 block text-faint text-xs">{missing}</span>}
        </p>
        <Button
          variant="danger"
          disabled={missing !== null}
          onClick={() => ask({ kind: 'delete-queue', scope: { state: 'dead', q: '', queue } })}
        >
          <Trash2 aria-hidden />
          Delete queue…
        </Button>
      </div>
    </Panel>
  );
}
