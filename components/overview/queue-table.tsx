'use client';
import { cn } from '@/components/ui/cn';
import { Duration } from '@/components/ui/duration';
import { Num, Percent, Rate } from '@/components/ui/number';
import { SkeletonRows } from '@/components/ui/skeleton';
import { Table, TBody, Td, THead, Th } from '@/components/ui/table';
import { useWorkers } from '@/lib/client/use-workers';
import type { QueueSums } from '@/lib/contract/queue';
import { full } from '@/lib/format/number';
import { isLongName, LedgerMark } from './queue-cells';
import { QueueRow } from './queue-row';
import type { RankedQueue } from './summary';

/** Widths are fixed so that no number moves its neighbours; the name takes what is left. */
const COLUMNS = [
  { head: 'Queue', title: 'Worst first', width: undefined, text: true },
  { head: 'Ready', title: 'May be claimed now', width: 60 },
  { head: 'Oldest', title: 'How long the oldest ready job has waited', width: 78 },
  { head: 'In-flight', title: 'Claimed by a worker under a lease', width: 66 },
  { head: 'Scheduled', title: 'Waiting for the time its producer set', width: 76 },
  { head: 'Retry', title: 'Failed; waiting out its backoff', width: 52 },
  {
    head: 'Held',
    title: 'Ready, but its tenant or job type is paused, or its tenant is at its limit',
    width: 50,
  },
  { head: 'Dead', title: 'In the dead-letter queue', width: 56 },
  { head: 'Arrival', title: 'Jobs enqueued a second', width: 64 },
  { head: 'Done', title: 'Jobs completed a second', width: 62 },
  { head: 'Failing', title: 'Share of runs that failed or were lost', width: 60 },
  { head: 'p95 run', title: '95 of 100 runs took at most this long', width: 68 },
  { head: 'To drain', title: 'Until the backlog is gone, at the present rates', width: 78 },
  { head: 'Workers', title: 'Live workers that listen to this queue', width: 66 },
  { head: 'Done, 60 m', title: 'Jobs completed a minute over the last hour', width: 86, text: true },
  { head: 'Ledger', title: 'Enqueued = jobs in every state + jobs deleted', width: 60 },
] as const;

export function QueueTable({
  queues,
  totals,
  all,
  label = 'Queues, worst first',
}: {
  queues: readonly RankedQueue[] | null;
  totals: QueueSums | null;
  /** How many queues the totals are of. */
  all: number;
  label?: string;
}) {
  const hasLongNames = queues?.some(({ queue }) => isLongName(queue.queue)) ?? false;
  return (
    <Table label={label} className={cn('table-fixed', hasLongNames ? 'min-w-[79rem]' : 'min-w-[73rem]')}>
      <colgroup>
        {COLUMNS.map(({ head, width }) => (
          <col key={head} style={{ width }} />
        ))}
      </colgroup>
      <THead>
        <tr>
          {COLUMNS.map(({ head, title, ...column }) => (
            <Th
              key={head}
              title={title}
              numeric={!('text' in column)}
              className={head === 'Queue' ? 'sticky left-0 z-[1] bg-panel pl-8' : undefined}
            >
              {head}
            </Th>
          ))}
        </tr>
      </THead>
      <TBody>
        {queues === null ? (
          <SkeletonRows columns={COLUMNS.length} rows={6} />
        ) : (
          queues.map(({ queue, level }) => <QueueRow key={queue.queue} queue={queue} level={level} />)
        )}
      </TBody>
      {queues !== null && all > 1 && totals && <TotalsRow totals={totals} queues={all} />}
    </Table>
  );
}

function TotalsRow({ totals, queues }: { totals: QueueSums; queues: number }) {
  const workers = useWorkers().data?.workers.filter(
    ({ status }) => status === 'running' || status === 'draining',
  );
  const { counts, partial } = totals;
  return (
    <tfoot className="font-medium [&_td]:border-line-strong [&_td]:border-t [&_td]:border-b-0 [&_th]:border-line-strong [&_th]:border-t">
      <tr>
        <th scope="row" className="sticky left-0 z-[1] bg-panel pr-2 pl-8 text-left font-medium">
          All {full(queues)} queues
        </th>
        <Td numeric>
          <Num value={counts.ready} atLeast={partial} />
        </Td>
        <Td numeric>
          <Duration ms={totals.oldestReadyAgeMs} />
        </Td>
        <Td numeric>
          <Num value={counts['in-flight']} atLeast={partial} />
        </Td>
        <Td numeric>
          <Num value={counts.scheduled} atLeast={partial} />
        </Td>
        <Td numeric>
          <Num value={counts.retry} atLeast={partial} />
        </Td>
        <Td numeric>
          <Num value={counts.held} atLeast={partial} />
        </Td>
        <Td numeric>
          <Num value={counts.dead} atLeast={partial} />
        </Td>
        <Td numeric>
          <Rate value={totals.arrivalPerSecond} />
        </Td>
        <Td numeric>
          <Rate value={totals.completedPerSecond} />
        </Td>
        <Td numeric>
          <Percent value={totals.failureRatio} />
        </Td>
        <Td />
        <Td numeric>
          <Duration ms={totals.drainMs} />
        </Td>
        <Td numeric>
          <Num value={workers?.length} />
        </Td>
        <Td />
        <Td numeric>
          <LedgerMark difference={totals.difference} />
        </Td>
      </tr>
    </tfoot>
  );
}
