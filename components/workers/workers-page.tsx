'use client';
import { Cpu } from 'lucide-react';
import Link from 'next/link';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { useMemo } from 'react';
import { LoadError } from '@/components/shared/load-error';
import { Callout } from '@/components/ui/callout';
import { EmptyState } from '@/components/ui/empty-state';
import { NavTabs } from '@/components/ui/nav-tabs';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { DataAge } from '@/components/ui/text/relative-time';
import { links } from '@/lib/browser/links';
import { useOverview } from '@/lib/browser/live/use-overview';
import { useWorkers } from '@/lib/browser/live/use-workers';
import { count } from '@/lib/format/plural';
import { EndedTable } from './ended-table';
import { WorkerCard } from './worker-card';
import { groupWorkers } from './worker-groups';

const SHOW = ['all', 'alive', 'ended'] as const;

/** Every worker process that reported within a day. */
export function WorkersPage() {
  const [show] = useQueryState('show', parseAsStringLiteral(SHOW).withDefault('all'));
  const query = useWorkers();
  const { data, error } = query;
  const groups = useMemo(() => (data ? groupWorkers(data.workers, data.at) : null), [data]);
  if (!data && error) {
    return <LoadError title="The workers could not be loaded" query={query} />;
  }
  const counts = { all: data?.workers.length, alive: groups?.alive.length, ended: groups?.ended.length };
  const words = { all: 'All', alive: 'Alive', ended: 'Ended' };
  return (
    <div className="space-y-3 px-4 pb-6 max-sm:px-2" aria-busy={!groups}>
      <UnservedQueues />
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
        <EmptyState icon={<Cpu />} title="No live workers">
          No jobs are claimed until a worker starts. To start the demo worker, run{' '}
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

const NAMED = 5;

/** Queues with ready jobs and no worker. */
function UnservedQueues() {
  const deserted = useOverview().data?.sums.deserted;
  if (!deserted || deserted.total === 0) return null;
  const { total, named } = deserted;
  const left = total - Math.min(NAMED, named.length);
  return (
    <Callout tone="warn" title="Queues without workers">
      {named.slice(0, NAMED).map(({ queue, ready }, i) => (
        <span key={queue}>
          {i > 0 && ', '}
          <Link href={links.queue(queue, 'ready')} className="text-fg underline">
            {queue}
          </Link>{' '}
          has {count(ready, 'ready job')}
        </span>
      ))}
      {left > 0 && ` and ${count(left, 'more queue')}`}. Start a worker for {total === 1 ? 'it' : 'them'}.
    </Callout>
  );
}
