'use client';
import { useEffect, useMemo, useState } from 'react';
import { HistoryPlace } from '@/components/shared/history/history-place';
import { LoadError } from '@/components/shared/load-error';
import { urlOneOf, useUrlState, withFallback } from '@/components/shared/url-state';
import { Button } from '@/components/ui/controls/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Cpu } from '@/components/ui/icons';
import { lazyPart } from '@/components/ui/lazy-part';
import { NavTabs } from '@/components/ui/nav-tabs';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { DataAge } from '@/components/ui/text/relative-time';
import { links } from '@/lib/browser/links';
import { useWorkers } from '@/lib/browser/live/use-workers';
import { count } from '@/lib/format/plural';
import { EndedTable } from './ended-table';
import { UnservedQueues } from './unserved-queues';
import { WorkerCard } from './worker-card';
import { groupWorkers, workerAdvice } from './worker-groups';
import { holdPlaces, type WorkerPlace } from './worker-places';

const WorkersHistory = lazyPart(
  () => import('./workers-history').then((module) => module.WorkersHistory),
  <HistoryPlace title="Workers and their failures" charts={2} />,
  { soon: true },
);

const SHOW = ['all', 'alive', 'ended'] as const;
const PARSERS = { show: withFallback(urlOneOf(SHOW), 'all') };

/** Every worker process that reported within a day. */
export function WorkersPage() {
  const [{ show }] = useUrlState(PARSERS);
  const query = useWorkers();
  const { data, error } = query;
  const groups = useMemo(() => (data ? groupWorkers(data.workers, data.at) : null), [data]);
  if (!data && error) {
    return <LoadError title="The workers could not be loaded" query={query} />;
  }
  const counts = { all: data?.workers.length, alive: groups?.alive.length, ended: groups?.ended.length };
  const advice = data && groups ? workerAdvice(groups.ended, data.at) : ({ kind: 'start' } as const);
  const words = { all: 'All', alive: 'Alive', ended: 'Ended' };
  return (
    <div className="space-y-3 px-4 pb-6 max-sm:px-2" aria-busy={!groups}>
      <UnservedQueues advice={advice} alive={groups?.alive.length} />
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
      {groups && show !== 'ended' && <Alive groups={groups} isStart={advice.kind === 'start'} />}
      <WorkersHistory isReady={groups !== null} />
      {groups && show !== 'alive' && <EndedTable workers={groups.ended} />}
    </div>
  );
}

export function WorkersAge() {
  return <DataAge at={useWorkers().data?.at} staleAfterMs={5_000} />;
}

/** Cards stay where they are while workers end and come. What ended goes when the user asks, or with the next visit. */
function Alive({ groups, isStart }: { groups: ReturnType<typeof groupWorkers>; isStart: boolean }) {
  const [before, setBefore] = useState<readonly WorkerPlace[]>([]);
  useEffect(() => setBefore((places) => holdPlaces(places, groups)), [groups]);
  const places = holdPlaces(before, groups);
  const empty = places.length - groups.alive.length;
  if (places.length === 0) {
    return (
      <Panel>
        <EmptyState icon={<Cpu />} title="No live workers">
          Workers appear here when they start.{' '}
          {isStart && (
            <>
              To start the demo worker, run{' '}
              <code translate="no" className="rounded-sm bg-hover px-1 font-mono text-xs">
                npm run worker
              </code>
              .
            </>
          )}
        </EmptyState>
      </Panel>
    );
  }
  return (
    <section aria-label="Alive" className="relative grid gap-3 xl:grid-cols-2">
      {empty > 0 && (
        <Button size="sm" className="absolute -top-10 right-0" onClick={() => setBefore([])}>
          Hide {count(empty, 'ended card')}
        </Button>
      )}
      {places.map(({ worker, ended }) => (
        <WorkerCard key={worker.workerId} worker={worker} ended={ended} />
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
