'use client';
import { Inbox } from 'lucide-react';
import Link from 'next/link';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { ErrorState } from '@/components/ui/error-state';
import { links } from '@/lib/client/links';
import { useQueue } from '@/lib/client/use-queue';
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
  if (data?.queue) return <QueueBody queue={data.queue} />;
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
        <JobsPanel key={`${queue.queue} ${state}`} queue={queue} />
      </div>
      <div className="col-span-full">
        <TotalsPanel queue={queue} />
      </div>
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
