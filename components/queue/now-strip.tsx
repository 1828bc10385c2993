import type { ReactNode } from 'react';
import { cn } from '@/components/ui/cn';
import { Duration } from '@/components/ui/duration';
import { Num, Percent, Rate } from '@/components/ui/number';
import { Panel } from '@/components/ui/panel';
import { Progress } from '@/components/ui/progress';
import { RelativeTime } from '@/components/ui/relative-time';
import { queuePause } from '@/lib/client/pauses';
import type { QueueSnapshot } from '@/lib/contract/queue';
import { duration } from '@/lib/format/duration';
import { full } from '@/lib/format/number';
import { count } from '@/lib/format/plural';

/** How this queue does right now, in one line. */
export function NowStrip({ queue }: { queue: QueueSnapshot }) {
  const { rates, overdueLeaseMs, workers } = queue;
  const window = `over the last ${duration(rates.windowMs)}`;
  return (
    <Panel className="shrink-0">
      <dl className="grid grid-cols-3 gap-x-4 gap-y-2 sm:grid-cols-4 lg:grid-cols-6 min-[1700px]:grid-cols-12">
        <Fact label="Oldest ready">
          <Duration ms={queue.oldestReadyAgeMs} />
        </Fact>
        <Fact
          label="Depth"
          title="Jobs still to be done: ready, scheduled, retry and held; and how many the queue takes"
          tone={depthTone(queue.depth)}
        >
          <Depth queue={queue} />
        </Fact>
        <Fact label="Arrival" title={window}>
          <Rate value={rates.arrivalPerSecond} />
        </Fact>
        <Fact label="Done" title={window}>
          <Rate value={rates.completedPerSecond} />
        </Fact>
        <Fact label="Failing" title={`Share of runs that failed or were lost, ${window}`}>
          <Percent value={rates.failureRatio} />
        </Fact>
        <Fact label="p95 run time">
          <Duration ms={queue.runTimeP95Ms} />
        </Fact>
        <Fact label="Time to drain" tone={drains(queue) ? undefined : 'text-warn'}>
          <Drain queue={queue} />
        </Fact>
        <Fact label="Next due">
          <RelativeTime at={queue.nextDueAt} />
        </Fact>
        <Fact label="Workers" tone={workers === 0 ? 'text-bad' : undefined}>
          {workers === 0 ? 'none listens' : <Num value={workers} />}
        </Fact>
        <Fact
          label="Throttled"
          title="Tenants some of whose jobs step aside because of their rate or concurrency limit"
        >
          {queue.throttledTenants === 0 ? 'none' : count(queue.throttledTenants, 'tenant')}
        </Fact>
        <Fact label="Shards" tone={queue.shards.unavailable.length > 0 ? 'text-bad' : undefined}>
          {queue.shards.unavailable.length > 0
            ? `${queue.shards.count - queue.shards.unavailable.length} of ${queue.shards.count}`
            : queue.shards.count}
        </Fact>
        <Fact label="Overdue leases" tone={overdueLeaseMs === null ? undefined : 'text-bad'}>
          {overdueLeaseMs === null ? 'none' : `by ${duration(overdueLeaseMs)}`}
        </Fact>
      </dl>
    </Panel>
  );
}

function Fact({
  label,
  title,
  tone,
  children,
}: {
  label: string;
  title?: string;
  tone?: string;
  children: ReactNode;
}) {
  return (
    <div className="min-w-0" title={title}>
      <dt className="truncate text-faint text-xs">{label}</dt>
      <dd className={cn('truncate font-medium text-base', tone)}>{children}</dd>
    </div>
  );
}

/** From this share of the limit on it is worth a look. */
const NEARLY_FULL = 0.9;

function depthTone({ jobs, limit }: QueueSnapshot['depth']): string | undefined {
  if (limit === null || jobs < limit * NEARLY_FULL) return undefined;
  return jobs >= limit ? 'text-bad' : 'text-warn';
}

function Depth({ queue: { depth, shards } }: { queue: QueueSnapshot }) {
  const { jobs, limit } = depth;
  const value = <Num value={jobs} atLeast={shards.unavailable.length > 0} />;
  if (limit === null) return value;
  const tone = jobs >= limit ? 'bad' : jobs >= limit * NEARLY_FULL ? 'warn' : 'accent';
  return (
    <>
      {value}
      <span className="font-normal text-muted text-xs">
        {' '}
        of <Num value={limit} />
      </span>
      <Progress
        label="Depth against its limit"
        value={jobs}
        total={limit}
        tone={tone}
        text={`${full(jobs)} of ${full(limit)} jobs`}
        className="mt-0.5"
      />
    </>
  );
}

const drains = ({ drainMs, counts, pauses }: QueueSnapshot): boolean =>
  drainMs !== null || counts.ready === 0 || queuePause(pauses) !== null;

function Drain({ queue }: { queue: QueueSnapshot }) {
  if (queue.drainMs !== null || queue.counts.ready === 0) return <Duration ms={queue.drainMs} />;
  if (queuePause(queue.pauses)) return <span className="text-state-held">paused</span>;
  return <span title="At the present rates the backlog does not shrink">never</span>;
}
