'use client';
import { Cpu } from 'lucide-react';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { useMemo } from 'react';
import { EmptyState } from '@/components/ui/empty-state';
import { ErrorState } from '@/components/ui/error-state';
import { NavTabs } from '@/components/ui/nav-tabs';
import { Panel } from '@/components/ui/panel';
import { DataAge } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import { links } from '@/lib/client/links';
import { useWorkers } from '@/lib/client/use-workers';
import { DesertedQueues } from './deserted-queues';
import { EndedTable } from './ended-table';
import { groupWorkers } from './summary';
import { WorkerCard } from './worker-card';

const SHOW = ['all', 'alive', 'ended'] as const;

/** Every worker process that reported within a day. */
export function WorkersPage() {
  const [show] = useQueryState('show', parseAsStringLiteral(SHOW).withDefault('all'));
  const { data, error, refetch, isFetching } = useWorkers();
  const groups = useMemo(() => (data ? groupWorkers(data.workers, data.at) : null), [data]);
  if (!data && error) {
    return (
      <ErrorState
        title="The workers could not be loaded"
        message={error.detail}
        reference={error.requestId ?? undefined}
        retrying={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  const counts = { all: data?.workers.length, alive: groups?.alive.length, ended: groups?.ended.length };
  const words = { all: 'All', alive: 'Alive', ended: 'Ended' };
  return (
    <div className="space-y-3 px-4 pb-6 max-sm:px-2" aria-busy={!groups}>
      <DesertedQueues />
      <NavTabs
        label="Workers shown"
        value={show}
        items={SHOW.map((value) => ({
          value,
          label: words[value],
          count: counts[value] ?? null,
          href: value === 'all' ? links.workers() : `${links.workers()}?show=${value}`,
        }))}
      />
      {!groups && <Waiting />}
      {groups && show !== 'ended' && <Alive workers={groups.alive} />}
      {groups && show !== 'alive' && (
        <Panel title="Ended" flush aside="kept for a day">
          {groups.ended.length > 0 ? (
            <EndedTable workers={groups.ended} />
          ) : (
            <p className="px-3 py-6 text-center text-muted text-sm">No worker ended within the last day.</p>
          )}
        </Panel>
      )}
    </div>
  );
}

export function WorkersAge() {
  return <DataAge at={useWorkers().data?.at} staleAfterMs={5_000} />;
}

function Alive({ workers }: { workers: ReturnType<typeof groupWorkers>['alive'] }) {
  if (workers.length === 0) {
    return (
      <Panel>
        <EmptyState icon={<Cpu />} title="No worker is alive">
          Nothing is claimed until one is. For the demo worker run{' '}
          <code className="rounded-sm bg-hover px-1 font-mono text-xs">npm run worker</code>.
        </EmptyState>
      </Panel>
    );
  }
  return (
    <section aria-label="Alive" className="grid gap-3 xl:grid-cols-2">
      {workers.map((worker) => (
        <WorkerCard key={worker.workerId} worker={worker} />
      ))}
    </section>
  );
}

function Waiting() {
  return (
    <div className="grid gap-3 xl:grid-cols-2">
      {['a', 'b', 'c', 'd'].map((key) => (
        <Panel key={key} className="h-40">
          <Skeleton className="w-1/2" />
        </Panel>
      ))}
    </div>
  );
}
