'use client';
import Link from 'next/link';
import { memo } from 'react';
import { cn } from '@/components/ui/cn';
import { Duration, Num } from '@/components/ui/text/number';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { links } from '@/lib/browser/links';
import { useServerNow } from '@/lib/browser/live/live-provider';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { bytes } from '@/lib/format/bytes';
import { revealHidden } from '@/lib/format/display-text';
import { BreakerList } from './breaker-list';
import { WorkerControls } from './worker-controls';
import { endedAt } from './worker-groups';
import { WorkerJobs } from './worker-jobs';
import type { WorkerPlace } from './worker-places';
import { WorkerBadge } from './worker-status';

/** One worker: host, queues, jobs and health. Once it `ended`, as last seen alive and as high. Most frames bring no news of it. */
export const WorkerCard = memo(function WorkerCard({ worker, ended }: WorkerPlace) {
  const lost = ended === null && worker.status === 'lost';
  return (
    <article
      aria-label={`Worker ${worker.workerId}`}
      className={cn(
        'flex min-w-0 flex-col rounded-md border bg-panel',
        lost ? 'border-warn' : 'border-line',
        ended && 'border-dashed text-muted',
      )}
    >
      <header className="flex flex-wrap items-center gap-x-2.5 gap-y-1 px-3 pt-2">
        <WorkerBadge status={(ended ?? worker).status} />
        <h3 translate="no" className="min-w-0 truncate font-medium font-mono text-xs" title={worker.workerId}>
          {worker.workerId}
        </h3>
        {!worker.partial && (
          <WorkerCapacity used={ended ? 0 : worker.jobs.length} total={worker.concurrency} />
        )}
      </header>
      <p className="flex flex-wrap gap-x-3 px-3 pt-0.5 text-muted text-xs [overflow-wrap:anywhere]">
        <span>{revealHidden(worker.host)}</span>
        <span>pid {worker.pid}</span>
        {worker.version && <span>version {revealHidden(worker.version)}</span>}
        <QueueWeights queues={worker.queues} />
        {worker.partial && <span>also serves queues you don't have access to</span>}
      </p>
      <WorkerHandlers handlers={worker.handlers} />
      <WorkerControls worker={worker} isEnded={ended !== null} />
      <WorkerJobs worker={worker} ended={ended} />
      <div className={cn(ended && 'invisible')}>
        <BreakerList breakers={worker.breakers} />
      </div>
      <dl className="grid grid-cols-3 gap-px overflow-hidden rounded-b-md border-line border-t bg-line text-xs sm:grid-cols-6">
        <Fact label="Completed" value={worker.partial ? '–' : <Num value={worker.completed} />} />
        <Fact label="Failed" value={worker.partial ? '–' : <Num value={worker.failed} dim />} />
        <Fact label="Memory" value={bytes(worker.memoryBytes)} />
        <Fact
          label="Loop delay"
          value={<Duration ms={worker.eventLoopDelayMs} />}
          warn={ended === null && worker.eventLoopDelayMs > 200}
        />
        <Fact label="Up for" value={<UpFor since={worker.startedAt} until={ended && endedAt(ended)} />} />
        <Fact label="Heartbeat" value={<RelativeTime at={worker.lastSeenAt} />} warn={lost} />
      </dl>
    </article>
  );
});

/** @param until null: it lives */
function UpFor({ since, until }: { since: number; until: number | null }) {
  const now = useServerNow();
  return <Duration ms={Math.max(0, (until ?? now) - since)} />;
}

function Fact({ label, value, warn }: { label: string; value: React.ReactNode; warn?: boolean }) {
  return (
    <div className="min-w-0 bg-panel px-3 py-1">
      <dt className="truncate text-2xs text-faint">{label}</dt>
      <dd className={cn('truncate', warn && 'font-medium text-warn')}>{value}</dd>
    </div>
  );
}

/** Queues with the share of runs each gets while all are busy. */
function QueueWeights({ queues }: { queues: Worker['queues'] }) {
  return (
    <span className="flex flex-wrap gap-x-2">
      {Object.entries(queues).map(([queue, weight]) => (
        <Link
          key={queue}
          href={links.queue(queue)}
          prefetch={false}
          title={`Weight ${weight}`}
          className="hover:underline"
        >
          {queue}
          <span className="text-faint"> ×{weight}</span>
        </Link>
      ))}
    </span>
  );
}

const SQUARES_MAX = 40;

/** Jobs in flight of the concurrency: one square each, or digits only when there are many. */
function WorkerCapacity({ used, total }: { used: number; total: number }) {
  const words = `${used} of ${total} in flight`;
  return (
    <span className="ml-auto inline-flex items-center gap-2">
      {total <= SQUARES_MAX && (
        <span role="img" aria-label={words} title={words} className="inline-flex flex-wrap gap-0.5">
          {Array.from({ length: Math.max(total, used) }, (_, i) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: squares have no identity.
              key={i}
              className={cn(
                'size-2.5 rounded-xs',
                i < used ? 'bg-state-in-flight' : 'bg-transparent ring-1 ring-line-strong ring-inset',
                i >= total && 'opacity-50',
              )}
            />
          ))}
        </span>
      )}
      <span className="whitespace-nowrap text-muted text-xs">
        {used}/{total}
      </span>
    </span>
  );
}

type Handler = Worker['handlers'][number];

const SHOWN = 6;

/** The job types and versions a worker runs; others wait. */
function WorkerHandlers({ handlers }: { handlers: Worker['handlers'] }) {
  if (handlers.length === 0) return null;
  const sorted = [...handlers].sort((a, b) => (a.type < b.type ? -1 : 1));
  const rest = sorted.slice(SHOWN);
  return (
    <div className="px-3 pt-0.5 text-muted text-xs">
      <div className="flex gap-x-2">
        <span className="text-faint">runs</span>
        <Types handlers={sorted.slice(0, SHOWN)} label="Job types" />
      </div>
      {rest.length > 0 && (
        <details>
          <summary className="w-fit cursor-pointer hover:underline">and {rest.length} more</summary>
          <Types handlers={rest} label="More job types" />
        </details>
      )}
    </div>
  );
}

function Types({ handlers, label }: { handlers: readonly Handler[]; label: string }) {
  return (
    <ul aria-label={label} className="flex min-w-0 flex-wrap gap-x-3">
      {handlers.map(({ type, versions }) => (
        <li key={type} className="min-w-0 break-words">
          {revealHidden(type)}{' '}
          <span className="text-faint">{versions.map((version) => `v${version}`).join(', ')}</span>
        </li>
      ))}
    </ul>
  );
}
