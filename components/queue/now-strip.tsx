import type { ReactNode } from 'react';
import { cn } from '@/components/ui/cn';
import { Duration } from '@/components/ui/duration';
import { Num, Percent, Rate } from '@/components/ui/number';
import { Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/relative-time';
import { queuePause } from '@/lib/client/pauses';
import type { QueueSnapshot } from '@/lib/contract/queue';
import { duration } from '@/lib/format/duration';

/** How this queue does right now, in one line. */
export function NowStrip({ queue }: { queue: QueueSnapshot }) {
  const { rates, overdueLeaseMs, workers } = queue;
  const window = `over the last ${duration(rates.windowMs)}`;
  return (
    <Panel className="shrink-0">
      <dl className="grid grid-cols-3 gap-x-4 gap-y-2 sm:grid-cols-5 xl:grid-cols-9">
        <Fact label="Oldest ready">
          <Duration ms={queue.oldestReadyAgeMs} />
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

const drains = ({ drainMs, counts, pauses }: QueueSnapshot): boolean =>
  drainMs !== null || counts.ready === 0 || queuePause(pauses) !== null;

function Drain({ queue }: { queue: QueueSnapshot }) {
  if (queue.drainMs !== null || queue.counts.ready === 0) return <Duration ms={queue.drainMs} />;
  if (queuePause(queue.pauses)) return <span className="text-state-held">paused</span>;
  return <span title="At the present rates the backlog does not shrink">never</span>;
}
