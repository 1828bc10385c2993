import { cn } from '@/components/ui/cn';
import { Duration } from '@/components/ui/duration';
import { KeyValue } from '@/components/ui/key-value';
import { Num, Percent, Rate } from '@/components/ui/number';
import { Panel } from '@/components/ui/panel';
import { DataAge, RelativeTime } from '@/components/ui/relative-time';
import { queuePause } from '@/lib/client/pauses';
import type { QueueSnapshot } from '@/lib/contract/queue';
import { duration } from '@/lib/format/duration';

/** How this queue does right now. */
export function NowPanel({ queue, at }: { queue: QueueSnapshot; at: number }) {
  const { rates, overdueLeaseMs } = queue;
  const deserted = queue.workers === 0;
  return (
    <Panel title="Now" aside={<DataAge at={at} staleAfterMs={5_000} />}>
      <KeyValue
        className="[&_dd]:text-right"
        items={[
          { label: 'Oldest ready', value: <Duration ms={queue.oldestReadyAgeMs} /> },
          { label: 'Arrival', value: <Rate value={rates.arrivalPerSecond} /> },
          { label: 'Done', value: <Rate value={rates.completedPerSecond} /> },
          { label: 'Failing', value: <Percent value={rates.failureRatio} /> },
          { label: 'p95 run time', value: <Duration ms={queue.runTimeP95Ms} /> },
          { label: 'Time to drain', value: <Drain queue={queue} /> },
          { label: 'Next due', value: <RelativeTime at={queue.nextDueAt} /> },
          {
            label: 'Workers',
            value: deserted ? (
              <span className="font-medium text-bad">none listens</span>
            ) : (
              <Num value={queue.workers} />
            ),
          },
          {
            label: 'Overdue leases',
            value: (
              <span className={cn(overdueLeaseMs !== null && 'font-medium text-bad')}>
                {overdueLeaseMs === null ? 'none' : `oldest by ${duration(overdueLeaseMs)}`}
              </span>
            ),
          },
        ]}
      />
      <p className="mt-2 text-faint text-xs">Rates over the last {duration(rates.windowMs)}.</p>
    </Panel>
  );
}

function Drain({ queue }: { queue: QueueSnapshot }) {
  if (queue.drainMs !== null || queue.counts.ready === 0) return <Duration ms={queue.drainMs} />;
  if (queuePause(queue.pauses)) return <span className="text-state-held">paused</span>;
  return <span className="font-medium text-warn">never, at these rates</span>;
}
