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
    <div className="flex flex-col gap-3 px-4 pb-6 max-sm:px-2">
      <PausesPanel queue={queue} />
      <div className="grid gap-3 xl:grid-cols-[minmax(0,1fr)_18rem]">
        <StateFlow queue={queue} current={state} />
        <LedgerPanel queue={queue} />
      </div>
      <NowStrip queue={queue} />
      <JobsPanel key={`${queue.queue} ${state}`} queue={queue} />
      <TotalsPanel queue={queue} />
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
