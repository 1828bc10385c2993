'use client';
import Link from 'next/link';
import { memo, useMemo } from 'react';
import { DrainForecastText, TimeToDrain } from '@/components/shared/drain/time-to-drain';
import { isPartial } from '@/components/shared/queue-state';
import { type DataColumn, DataTable } from '@/components/ui/tables/data-table';
import { Td } from '@/components/ui/tables/table';
import { Duration, Num, Percent, Rate } from '@/components/ui/text/number';
import { links } from '@/lib/browser/links';
import { useWorkersPart } from '@/lib/browser/live/use-workers';
import type { QueueMinutes, QueueRow, QueueSums } from '@/lib/contract/queues/queue-schemas';
import type { WorkersPage } from '@/lib/contract/workers/worker-schemas';
import { fullNumber } from '@/lib/format/number';
import {
  DeadCount,
  InFlight,
  LedgerMark,
  LevelIcon,
  MinutesContext,
  OldestAge,
  QueueName,
  Spark,
  Workers,
} from './queue-cells';
import { QueueMarks } from './queue-marks';

export const QueueTable = memo(function QueueTable({
  queues,
  missing,
  minutes,
  totals,
  all,
  label,
}: {
  queues: readonly QueueRow[] | null;
  /** So many rows come a moment later. */
  missing: number;
  minutes: QueueMinutes | undefined;
  totals: QueueSums | null;
  all: number;
  label: string;
}) {
  const byName = useMemo(() => new Map(minutes?.queues.map((one) => [one.queue, one.minutes])), [minutes]);
  return (
    <MinutesContext value={byName}>
      <DataTable
        label={label}
        // Less than each width leaves beside the rail, so that the ledger is in view there.
        className="min-w-[40rem] lg:min-w-[48rem] xl:min-w-[64rem]"
        columns={COLUMNS}
        rows={queues}
        rowKey={(_, index) => index}
        rowProps={rowProps}
        skeletonRows={6}
        missing={missing}
        footer={queues !== null && all > 1 && totals && <TotalsRow totals={totals} queues={all} />}
      />
    </MinutesContext>
  );
});

const rowProps = ({ queue }: QueueRow) => ({ 'data-queue': queue });

/** The page of the queue has these, too. */
const WIDE_ONLY = 'max-[88rem]:hidden';
const NOT_BELOW_1280 = 'max-xl:hidden';
const NOT_BELOW_1024 = 'max-lg:hidden';
const FIRST_COLUMN = 'sticky left-0 z-[1] bg-panel';

function TotalsRow({ totals, queues }: { totals: QueueSums; queues: number }) {
  return (
    <tfoot className="font-medium [&_td]:border-line-strong [&_td]:border-t [&_td]:border-b-0 [&_th]:border-line-strong [&_th]:border-t">
      <tr>
        <th scope="row" className={`${FIRST_COLUMN} pr-2 pl-8 text-left font-medium`}>
          All {fullNumber(queues)} queues
        </th>
        {NUMBER_COLUMNS.map(({ head, total, className }) => (
          <Td key={head} numeric className={className}>
            {total?.(totals)}
          </Td>
        ))}
      </tr>
    </tfoot>
  );
}

const liveOf = ({ workers }: WorkersPage): number =>
  workers.filter(({ status }) => status === 'running' || status === 'draining').length;

function LiveWorkers() {
  return <Num value={useWorkersPart(liveOf)} />;
}

type QueueColumn = DataColumn<QueueRow> & {
  /** The cell in the row of all queues. */
  readonly total?: (sums: QueueSums) => React.ReactNode;
};
/** A column of numbers, with its head as its key. */
type NumberColumn = Omit<QueueColumn, 'key' | 'head'> & { readonly head: string };

const countColumn = (
  state: 'ready' | 'in-flight' | 'scheduled' | 'retry' | 'held' | 'dead',
  column: Omit<NumberColumn, 'cell' | 'total'> & Partial<Pick<NumberColumn, 'cell'>>,
): NumberColumn => ({
  cell: (queue) => <Num value={queue.counts[state]} dim atLeast={isPartial(queue)} />,
  ...column,
  total: ({ counts, partial }) => <Num value={counts[state]} atLeast={partial} />,
});

const NAME_COLUMN: QueueColumn = {
  key: 'queue',
  head: <span className="pl-5">Queue</span>,
  headTitle: 'Worst first',
  rowHeader: true,
  className: FIRST_COLUMN,
  cellClassName: 'py-0 pr-2 pl-3 group-hover/row:bg-hover',
  cell: (queue) => (
    <div className="flex min-w-0 items-center gap-1.5">
      <LevelIcon level={queue.level} />
      <Link
        data-row-link
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
  ),
};

const NUMBER_COLUMNS: readonly NumberColumn[] = [
  countColumn('ready', { head: 'Ready', headTitle: 'Wait for a worker to claim them', width: 60 }),
  {
    head: 'Oldest',
    headTitle: 'How long the oldest ready job has waited; in colour when it misses its objective',
    width: 78,
    cell: (queue) => <OldestAge queue={queue} />,
    total: ({ oldestReadyAgeMs }) => <Duration ms={oldestReadyAgeMs} />,
  },
  countColumn('in-flight', {
    head: 'In-flight',
    headTitle: 'Claimed by a worker under a lease',
    width: 66,
    cell: (queue) => <InFlight queue={queue} />,
  }),
  countColumn('scheduled', {
    head: 'Scheduled',
    headTitle: 'Waiting for the time its producer set',
    width: 84,
    className: NOT_BELOW_1280,
  }),
  countColumn('retry', {
    head: 'Retry',
    headTitle: 'Failed; waiting out its backoff',
    width: 52,
    className: NOT_BELOW_1280,
  }),
  countColumn('held', {
    head: 'Held',
    headTitle: 'Ready, but its tenant or job type is paused, or its tenant is at its limit',
    width: 50,
    className: NOT_BELOW_1280,
  }),
  countColumn('dead', {
    head: 'Dead',
    headTitle: 'In the dead-letter queue',
    width: 56,
    cell: (queue) => <DeadCount queue={queue} />,
  }),
  {
    head: 'Arrival',
    headTitle: 'Jobs enqueued a second, over the last minute',
    width: 64,
    className: NOT_BELOW_1280,
    cell: ({ rates }) => <Rate value={rates.arrivalPerSecond} dim />,
    total: ({ arrivalPerSecond }) => <Rate value={arrivalPerSecond} />,
  },
  {
    head: 'Done',
    headTitle: 'Jobs completed a second, over the last minute',
    width: 62,
    className: NOT_BELOW_1024,
    cell: ({ rates }) => <Rate value={rates.completedPerSecond} dim />,
    total: ({ completedPerSecond }) => <Rate value={completedPerSecond} />,
  },
  {
    head: 'Failing',
    headTitle: 'Share of runs that failed or were lost, over the last minute',
    width: 60,
    cell: ({ rates }) => <Percent value={rates.failureRatio} dim />,
    total: ({ failureRatio }) => <Percent value={failureRatio} />,
  },
  {
    head: 'p95 run',
    headTitle: '95 of 100 runs of the last five minutes took at most about this long',
    width: 68,
    className: WIDE_ONLY,
    cell: ({ runTimeP95Ms }) => <Duration ms={runTimeP95Ms} dim />,
  },
  {
    head: 'To drain',
    headTitle:
      'Until the backlog is gone, at the rates of the last seconds: they follow a resume or other workers at once',
    width: 98,
    cell: (queue) => <TimeToDrain queue={queue} />,
    total: ({ drain }) => <DrainForecastText drain={drain} />,
  },
  {
    head: 'Workers',
    headTitle: 'Live workers that listen to this queue',
    width: 66,
    className: NOT_BELOW_1024,
    cell: (queue) => <Workers queue={queue} />,
    total: () => <LiveWorkers />,
  },
  {
    head: 'Done, 60 m',
    headTitle: 'Jobs completed a minute over the last hour',
    width: 86,
    className: WIDE_ONLY,
    numeric: false,
    truncate: false,
    cell: (queue) => <Spark queue={queue} />,
  },
  {
    head: 'Ledger',
    headTitle: 'Enqueued = jobs in every state + jobs deleted',
    width: 66,
    cell: ({ ledger }) => <LedgerMark difference={ledger.difference} />,
    total: ({ difference }) => <LedgerMark difference={difference} />,
  },
];

/** Fixed widths, so that changing numbers move nothing; the name takes the rest. */
const COLUMNS: readonly QueueColumn[] = [
  NAME_COLUMN,
  ...NUMBER_COLUMNS.map((column) => ({ key: column.head, numeric: true, ...column })),
];
