'use client';
import { Inbox } from 'lucide-react';
import Link from 'next/link';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { EmptyState } from '@/components/ui/empty-state';
import { ErrorState } from '@/components/ui/error-state';
import { links } from '@/lib/client/links';
import { useWithin } from '@/lib/client/permissions';
import { useQueue } from '@/lib/client/use-queue';
import { hasQueue, reachesQueue } from '@/lib/contract/permissions';
import type { QueueSnapshot } from '@/lib/contract/queue';
import { JobsPanel } from './jobs-panel';
import { LedgerPanel } from './ledger-panel';
import { NowStrip } from './now-strip';
import { PartialNote } from './partial-note';
import { PausesPanel } from './pauses-panel';
import { QueueSkeleton } from './queue-skeleton';
import { StateFlow } from './state-flow';
import { TotalsPanel } from './totals-panel';
import { useQueueView } from './use-queue-view';

/** One queue: where its jobs are, what stops them, and the jobs themselves. */
export function QueuePage({ queue: name }: { queue: string }) {
  const { data, error, refetch, isFetching } = useQueue(name);
  const part = usePartOf(name);
  if (data?.queue) return <QueueBody queue={data.queue} />;
  if (part) return <PartOfQueue name={name} />;
  if (data) return <NoSuchQueue name={name} />;
  if (!error) return <QueueSkeleton />;
  return (
    <ErrorState
      title="The queue could not be loaded"
      message={error.detail}
      reference={error.requestId ?? undefined}
      retrying={isFetching}
      onRetry={refetch}
    />
  );
}

function QueueBody({ queue }: { queue: QueueSnapshot }) {
  const { state } = useQueueView();
  return (
    <div className="grid gap-3 px-4 pb-6 max-sm:px-2 min-[1400px]:grid-cols-[minmax(0,1fr)_18rem] [&>*]:min-w-0">
      {queue.shards.unavailable.length > 0 && (
        <div className="col-span-full">
          <PartialNote shards={queue.shards} />
        </div>
      )}
      {(queue.pauses.length > 0 || queue.draining) && (
        <div className="col-span-full">
          <PausesPanel queue={queue} />
        </div>
      )}
      <StateFlow queue={queue} current={state} />
      <div className="max-[1399px]:order-last">
        <LedgerPanel queue={queue} />
      </div>
      <div className="col-span-full">
        <NowStrip queue={queue} />
      </div>
      <div className="col-span-full">
        <JobsPanel key={`${queue.queue} ${state}`} name={queue.queue} queue={queue} />
      </div>
      <div className="col-span-full">
        <TotalsPanel queue={queue} />
      </div>
    </div>
  );
}

/** Whether only some tenants' jobs of the queue are theirs to see. */
function usePartOf(name: string): boolean {
  const view = useWithin('view');
  return reachesQueue(view, name) && !hasQueue(view, name);
}

/** The jobs alone: counts, rates, pauses and the ledger are of all tenants together. */
function PartOfQueue({ name }: { name: string }) {
  const { state } = useQueueView();
  return (
    <div className="grid gap-3 px-4 pb-6 max-sm:px-2 [&>*]:min-w-0">
      <Callout title="You see some tenants of this queue.">
        Its jobs below are theirs. What is counted over the whole queue is not yours to see.
      </Callout>
      <JobsPanel key={state} name={name} queue={null} />
    </div>
  );
}

function NoSuchQueue({ name }: { name: string }) {
  return (
    <EmptyState
      icon={<Inbox />}
      title={`There is no queue called ${name}`}
      action={
        <Button asChild>
          <Link href={links.overview()}>Go to the overview</Link>
        </Button>
      }
    >
      A queue exists from its first job on. Check the spelling, or enqueue a job to make it.
    </EmptyState>
  );
}
