'use client';
import Link from 'next/link';
import { cn } from '@/components/ui/cn';
import { Duration } from '@/components/ui/duration';
import { Num } from '@/components/ui/number';
import { RelativeTime } from '@/components/ui/relative-time';
import { links } from '@/lib/client/links';
import { useServerNow } from '@/lib/client/live';
import type { Worker } from '@/lib/contract/workers';
import { bytes } from '@/lib/format/bytes';
import { BreakerList } from './breaker-list';
import { WorkerHandlers } from './worker-handlers';
import { JOB_HEIGHT, JOBS_SHOWN, WorkerJobs } from './worker-jobs';
import { Slots } from './worker-slots';
import { WorkerBadge } from './worker-status';

/** One live worker: who it is, what it serves, what it holds and how it feels. */
export function WorkerCard({ worker }: { worker: Worker }) {
  const now = useServerNow();
  const lost = worker.status === 'lost';
  return (
    <article
      aria-label={`Worker ${worker.workerId}`}
      className={cn('flex min-w-0 flex-col rounded-md border bg-panel', lost ? 'border-warn' : 'border-line')}
    >
      <header className="flex flex-wrap items-center gap-x-2.5 gap-y-1 px-3 pt-2">
        <WorkerBadge status={worker.status} />
        <h3 className="min-w-0 truncate font-medium font-mono text-xs" title={worker.workerId}>
          {worker.workerId}
        </h3>
        {!worker.partial && (
          <Slots used={worker.jobs.length} total={worker.concurrency} className="ml-auto" />
        )}
      </header>
      <p className="flex flex-wrap gap-x-3 px-3 pt-0.5 text-muted text-xs">
        <span>{worker.host}</span>
        <span>pid {worker.pid}</span>
        {worker.version && <span>version {worker.version}</span>}
        <QueueWeights queues={worker.queues} />
        {worker.partial && <span>also serves queues that you do not see</span>}
      </p>
      <WorkerHandlers handlers={worker.handlers} />
      <div
        className="min-h-(--rows) flex-1 px-3 py-1.5 max-sm:min-h-(--phone-rows)"
        style={roomFor(worker.concurrency)}
      >
        <WorkerJobs worker={worker} />
      </div>
      <BreakerList breakers={worker.breakers} />
      <dl className="grid grid-cols-3 gap-px overflow-hidden rounded-b-md border-line border-t bg-line text-xs sm:grid-cols-6">
        <Fact label="Completed" value={worker.partial ? '–' : <Num value={worker.completed} />} />
        <Fact label="Failed" value={worker.partial ? '–' : <Num value={worker.failed} dim />} />
        <Fact label="Memory" value={bytes(worker.memoryBytes)} />
        <Fact
          label="Loop delay"
          value={<Duration ms={worker.eventLoopDelayMs} />}
          warn={worker.eventLoopDelayMs > 200}
        />
        <Fact label="Up for" value={<Duration ms={Math.max(0, now - worker.startedAt)} />} />
        <Fact label="Heartbeat" value={<RelativeTime at={worker.lastSeenAt} />} warn={lost} />
      </dl>
    </article>
  );
}

/** As high as it is with every slot taken, so that nothing moves as jobs come and go. */
function roomFor(concurrency: number): React.CSSProperties {
  const rows = concurrency > JOBS_SHOWN ? JOBS_SHOWN + 1 : concurrency;
  return {
    '--rows': `${Math.ceil(rows / 2) * JOB_HEIGHT + 12}px`,
    '--phone-rows': `${rows * JOB_HEIGHT + 12}px`,
  } as React.CSSProperties;
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
export function QueueWeights({ queues }: { queues: Worker['queues'] }) {
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
