'use client';
import { useState } from 'react';
import { ErrorState } from '@/components/ui/error-state';
import { Kbd } from '@/components/ui/kbd';
import { NavTabs } from '@/components/ui/nav-tabs';
import { Pagination } from '@/components/ui/pagination';
import { Panel } from '@/components/ui/panel';
import { DataAge } from '@/components/ui/relative-time';
import { STATE_LOOK } from '@/components/ui/state-badge';
import { Switch } from '@/components/ui/switch';
import { links } from '@/lib/client/links';
import { useJobs } from '@/lib/client/use-jobs';
import type { QueueSnapshot } from '@/lib/contract/queue';
import { JOB_STATES } from '@/lib/contract/states';
import { JobsTable } from './jobs-table';
import { useQueueView } from './use-queue-view';

/** The jobs of the chosen state, a page at a time, kept fresh unless frozen. */
export function JobsPanel({ queue }: { queue: QueueSnapshot }) {
  const { state, cursor, setCursor } = useQueueView();
  const [frozen, setFrozen] = useState(false);
  const {
    data: page,
    error,
    refetch,
    isFetching,
    isPlaceholderData,
  } = useJobs(queue.queue, state, {
    cursor,
    paused: frozen,
  });
  return (
    <Panel
      title="Jobs"
      flush
      aside={
        <>
          <span className="flex items-center gap-1 max-lg:hidden">
            <Kbd>j</Kbd> <Kbd>k</Kbd> move, <Kbd>Enter</Kbd> opens
          </span>
          <Switch label="Freeze the list" checked={frozen} onCheckedChange={setFrozen} />
          <DataAge at={page?.at} staleAfterMs={frozen ? Number.POSITIVE_INFINITY : 10_000} />
        </>
      }
    >
      <NavTabs
        label="States"
        value={state}
        items={JOB_STATES.map((value) => {
          const { label, Icon, text } = STATE_LOOK[value];
          return {
            value,
            label,
            href: links.queue(queue.queue, value),
            count: queue.counts[value],
            atLeast: queue.shards.unavailable.length > 0,
            icon: <Icon aria-hidden className={text} />,
          };
        })}
      />
      {error && !page ? (
        <ErrorState
          title="These jobs could not be loaded"
          message={error.detail}
          reference={error.requestId ?? undefined}
          retrying={isFetching}
          onRetry={() => (error.code === 'BAD_CURSOR' ? setCursor(null) : void refetch())}
        />
      ) : (
        <>
          <JobsTable queue={queue} state={state} jobs={page?.jobs ?? null} />
          <Pagination
            shown={page?.jobs.length ?? 0}
            total={page?.total}
            noun={`${state} jobs`}
            isFirst={cursor === null}
            hasNext={page !== undefined && page.nextCursor !== null}
            pending={isPlaceholderData}
            onFirst={() => setCursor(null)}
            onNext={() => setCursor(page?.nextCursor ?? null)}
          />
        </>
      )}
    </Panel>
  );
}
