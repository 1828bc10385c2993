import Link from 'next/link';
import { memo } from 'react';
import { cn } from '@/components/ui/cn';
import { Duration } from '@/components/ui/duration';
import { Num, Percent, Rate } from '@/components/ui/number';
import { Td, Tr } from '@/components/ui/table';
import { links } from '@/lib/client/links';
import type { QueueSnapshot } from '@/lib/contract/queue';
import { DeadCount, Drain, InFlight, LedgerMark, LevelIcon, QueueName, Spark, Workers } from './queue-cells';
import { QueueMarks } from './queue-marks';
import { isPartial, type Level } from './summary';

/** One queue in one line. Renders again only when one of its numbers changed. */
export const QueueRow = memo(function QueueRow({ queue, level }: { queue: QueueSnapshot; level: Level }) {
  const { counts, rates } = queue;
  const atLeast = isPartial(queue);
  return (
    <Tr data-queue={queue.queue}>
      <th
        scope="row"
        className="sticky left-0 z-[1] h-7 border-line border-b bg-panel py-0 pr-2 pl-3 text-left font-normal group-hover/row:bg-hover"
      >
        <div className="flex min-w-0 items-center gap-1.5">
          <LevelIcon level={level} />
          <Link
            href={links.queue(queue.queue)}
            prefetch={false}
            title={queue.queue}
            aria-label={queue.queue}
            className="flex min-w-0 font-medium hover:underline"
          >
            <QueueName name={queue.queue} />
          </Link>
          <QueueMarks queue={queue} />
        </div>
      </th>
      <Td numeric>
        <Num value={counts.ready} dim atLeast={atLeast} />
      </Td>
      <Td numeric>
        <Duration
          ms={queue.oldestReadyAgeMs}
          className={cn(queue.oldestReadyAgeMs === null && 'text-faint')}
        />
      </Td>
      <Td numeric>
        <InFlight queue={queue} />
      </Td>
      <Td numeric>
        <Num value={counts.scheduled} dim atLeast={atLeast} />
      </Td>
      <Td numeric>
        <Num value={counts.retry} dim atLeast={atLeast} />
      </Td>
      <Td numeric>
        <Num value={counts.held} dim atLeast={atLeast} />
      </Td>
      <Td numeric>
        <DeadCount queue={queue} />
      </Td>
      <Td numeric>
        <Rate value={rates.arrivalPerSecond} dim />
      </Td>
      <Td numeric>
        <Rate value={rates.completedPerSecond} dim />
      </Td>
      <Td numeric>
        <Percent value={rates.failureRatio} dim />
      </Td>
      <Td numeric>
        <Duration ms={queue.runTimeP95Ms} className={cn(queue.runTimeP95Ms === null && 'text-faint')} />
      </Td>
      <Td numeric>
        <Drain queue={queue} />
      </Td>
      <Td numeric>
        <Workers queue={queue} />
      </Td>
      <Td>
        <Spark queue={queue} />
      </Td>
      <Td numeric>
        <LedgerMark difference={queue.ledger.difference} />
      </Td>
    </Tr>
  );
});
