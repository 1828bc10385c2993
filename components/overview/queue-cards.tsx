import Link from 'next/link';
import { TimeToDrain } from '@/components/shared/drain/time-to-drain';
import { isPartial } from '@/components/shared/queue-state';
import { Skeleton } from '@/components/ui/skeleton';
import { Num, Percent, Rate } from '@/components/ui/text/number';
import { links } from '@/lib/browser/links';
import type { QueueRow } from '@/lib/contract/queues/queue-schemas';
import { LevelIcon, OldestAge, QueueName } from './queue-cells';
import { QueueMarks } from './queue-marks';

/** The queue list on a phone: one card per queue. */
export function QueueCards({ queues }: { queues: readonly QueueRow[] | null }) {
  if (queues === null) return <CardSkeletons />;
  return (
    <ul className="divide-y divide-line">
      {queues.map((queue, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: by place, so that nothing moves when queues change places
        <li key={place} className="px-3 py-2.5">
          <div className="flex min-w-0 items-center gap-1.5">
            <LevelIcon level={queue.level} />
            <Link
              href={links.queue(queue.queue)}
              prefetch={false}
              aria-label={queue.queue}
              className="flex min-h-6 min-w-0 flex-1 items-center font-medium"
            >
              <QueueName name={queue.queue} />
            </Link>
            <QueueMarks queue={queue} />
          </div>
          <dl className="mt-1.5 grid grid-cols-4 gap-x-3 gap-y-1.5 pl-5">
            <Fact label="Ready" value={<Num value={queue.counts.ready} dim atLeast={isPartial(queue)} />} />
            <Fact label="Oldest ready" value={<OldestAge queue={queue} />} />
            <Fact
              label="In-flight"
              value={<Num value={queue.counts['in-flight']} dim atLeast={isPartial(queue)} />}
            />
            <Fact
              label="Dead"
              value={
                <Num
                  value={queue.counts.dead}
                  dim
                  atLeast={isPartial(queue)}
                  className={queue.counts.dead > 0 ? 'font-medium text-state-dead' : undefined}
                />
              }
            />
            <Fact label="Scheduled" value={<Num value={queue.counts.scheduled} dim />} />
            <Fact label="Retry" value={<Num value={queue.counts.retry} dim />} />
            <Fact
              label="Held"
              value={
                <Num
                  value={queue.counts.held}
                  dim
                  className={queue.counts.held > 0 ? 'font-medium text-state-held' : undefined}
                />
              }
            />
            <Fact label="Workers" value={<Num value={queue.workers} dim />} />
            <Fact label="Arrival" value={<Rate value={queue.rates.arrivalPerSecond} dim />} />
            <Fact label="Done" value={<Rate value={queue.rates.completedPerSecond} dim />} />
            <Fact label="Failing" value={<Percent value={queue.rates.failureRatio} dim />} />
            <Fact label="To drain" value={<TimeToDrain queue={queue} />} />
          </dl>
        </li>
      ))}
    </ul>
  );
}

function Fact({ label, value }: { label: string; value: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="truncate text-2xs text-faint">{label}</dt>
      <dd className="truncate text-sm">{value}</dd>
    </div>
  );
}

function CardSkeletons() {
  return (
    <div aria-hidden className="divide-y divide-line">
      {['a', 'b', 'c', 'd'].map((key) => (
        <div key={key} className="space-y-3 px-3 py-3.5">
          <Skeleton className="w-1/3" />
          <Skeleton className="w-4/5" />
          <Skeleton className="w-3/5" />
        </div>
      ))}
    </div>
  );
}
