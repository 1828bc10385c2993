'use client';
import Link from 'next/link';
import { useMemo } from 'react';
import { HistoryPanel } from '@/components/shared/history/history-panel';
import { WORKER_CHARTS } from '@/components/shared/history/history-series';
import { LoadError } from '@/components/shared/load-error';
import { urlOneOf, useUrlState, withFallback } from '@/components/shared/url-state';
import { Callout } from '@/components/ui/callout';
import { EmptyState } from '@/components/ui/empty-state';
import { Cpu } from '@/components/ui/icons';
import { NavTabs } from '@/components/ui/nav-tabs';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { DataAge } from '@/components/ui/text/relative-time';
import { links } from '@/lib/browser/links';
import { useOverview } from '@/lib/browser/live/use-overview';
import { useWorkers } from '@/lib/browser/live/use-workers';
import { useLab } from '@/lib/browser/use-lab';
import { count } from '@/lib/format/plural';
import { EndedTable } from './ended-table';
import { WorkerCard } from './worker-card';
import { groupWorkers, type WorkerAdvice, workerAdvice } from './worker-groups';

const SHOW = ['all', 'alive', 'ended'] as const;
const PARSERS = { show: withFallback(urlOneOf(SHOW), 'all') };

/** Every worker process that reported within a day. */
export function WorkersPage() {
  const [{ show }] = useUrlState(PARSERS);
  const query = useWorkers();
  const supervisor = useLab().data?.supervisor;
  const { data, error } = query;
  const groups = useMemo(() => (data ? groupWorkers(data.workers, data.at) : null), [data]);
  if (!data && error) {
    return <LoadError title="The workers could not be loaded" query={query} />;
  }
  const counts = { all: data?.workers.length, alive: groups?.alive.length, ended: groups?.ended.length };
  const advice =
    data && groups ? workerAdvice(groups.ended, supervisor, data.at) : ({ kind: 'start' } as const);
  const words = { all: 'All', alive: 'Alive', ended: 'Ended' };
  return (
    <div className="space-y-3 px-4 pb-6 max-sm:px-2" aria-busy={!groups}>
      <UnservedQueues advice={advice} />
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
      {groups && show !== 'ended' && <Alive workers={groups.alive} advice={advice} />}
      <HistoryPanel title="Workers and their failures" isReady={groups !== null} charts={WORKER_CHARTS} />
      {groups && show !== 'alive' && (
        <Panel title="Ended" flush aside="kept for a day, at most 200 workers">
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

function Alive({
  workers,
  advice,
}: {
  workers: ReturnType<typeof groupWorkers>['alive'];
  advice: WorkerAdvice;
}) {
  if (workers.length === 0) {
    return (
      <Panel>
        <EmptyState icon={<Cpu />} title="No live workers">
          No jobs are claimed until a worker starts.{' '}
          {advice.kind === 'start' ? (
            <>
              To start the demo worker, run{' '}
              <code className="rounded-sm bg-hover px-1 font-mono text-xs">npm run worker</code>.
            </>
          ) : (
            <Advice advice={advice} queues={2} />
          )}
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
function UnservedQueues({ advice }: { advice: WorkerAdvice }) {
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
      {left > 0 && ` and ${count(left, 'more queue')}`}. <Advice advice={advice} queues={total} />
    </Callout>
  );
}

/** What to do where no worker listens. */
function Advice({ advice, queues }: { advice: WorkerAdvice; queues: number }) {
  if (advice.kind === 'restarting')
    return (
      <>
        {advice.workers > 0
          ? `The demo's supervisor is restarting ${advice.workers} of ${count(advice.of, 'worker')}; nothing to start. `
          : `The demo's supervisor runs ${count(advice.of, 'worker')}; nothing to start. `}
        <Link href={links.lab()} className="text-fg underline">
          Open the lab
        </Link>
      </>
    );
  if (advice.kind === 'crashing')
    return `${count(advice.crashes, 'worker')} crashed in the last minute (latest ${advice.cause}). Find the cause before you start more.`;
  return `Start a worker for ${queues === 1 ? 'it' : 'them'}.`;
}
