'use client';
import { useState } from 'react';
import { readyLabel } from '@/components/shared/breakdown-labels';
import { Button } from '@/components/ui/controls/button';
import { CirclePause } from '@/components/ui/icons';
import { lazyPart } from '@/components/ui/lazy-part';
import { type DataColumn, DataTable } from '@/components/ui/tables/data-table';
import { Duration, Num, Percent, Rate } from '@/components/ui/text/number';
import { useOffer } from '@/lib/browser/access/use-permissions';
import type { QueueBreakdown, QueueShare } from '@/lib/contract/queues/breakdown-schemas';
import type { QueueNumbers } from '@/lib/contract/queues/queue-schemas';
import { useChartedShare } from '../use-charted-share';

const PauseDialog = lazyPart(() =>
  import('@/components/shared/pause/pause-dialog').then((module) => module.PauseDialog),
);

interface Props {
  kind: 'tenant' | 'type';
  queue: QueueNumbers;
  /** Null while loading. */
  breakdown: QueueBreakdown | null;
}

const NOUNS = { tenant: 'Tenant', type: 'Job type' } as const;

/** Tenants or job types, the most ready jobs first, each with its charts and its pause. */
export function SharesTable({ kind, queue, breakdown }: Props) {
  const [pausing, setPausing] = useState<string | null>(null);
  const { open: openCharts } = useChartedShare();
  const operate = useOffer('operate', queue.queue);
  const paused = new Set(queue.pauses.map(({ scope }) => scope));
  const isPaused = ({ name }: QueueShare) => paused.has('queue') || paused.has(`${kind}:${name}`);
  const exact = breakdown?.ready.exact ?? true;
  const columns: DataColumn<QueueShare>[] = [
    {
      key: 'name',
      head: NOUNS[kind],
      rowHeader: true,
      cellClassName: 'truncate pl-3 font-medium',
      title: ({ name }) => name,
      cell: ({ name }) => (
        <button
          type="button"
          title={`Open the charts of ${name}`}
          className="max-w-full truncate rounded-xs hover:underline"
          onClick={() => openCharts({ kind, name })}
        >
          {name}
        </button>
      ),
    },
    {
      key: 'ready',
      head: 'Ready',
      // A phone leaves the name what it needs: the pause acts on a name.
      className: 'w-16 sm:w-25',
      numeric: true,
      cell: ({ ready }) => readyLabel(ready, exact),
    },
    {
      key: 'held',
      head: 'Held',
      headTitle: `Held by a pause${kind === 'tenant' ? ' or a limit of the tenant' : ' of the job type'}`,
      className: 'w-16 sm:w-20',
      numeric: true,
      cell: ({ held }) => <Num value={held} dim className={held > 0 ? 'text-state-held' : undefined} />,
    },
    {
      key: 'share',
      head: 'Share',
      width: 120,
      truncate: false,
      className: 'max-md:hidden',
      cell: ({ readyShare }) => <ShareBar share={readyShare} />,
    },
    {
      key: 'oldest',
      head: 'Oldest',
      headTitle: exact ? 'Longest wait of its ready jobs' : 'Longest wait of its ready jobs that were read',
      width: 86,
      numeric: true,
      className: 'max-sm:hidden',
      cell: ({ oldestReadyAgeMs }) => <Duration ms={oldestReadyAgeMs} dim />,
    },
    {
      key: 'done',
      head: 'Done',
      width: 80,
      numeric: true,
      className: 'max-sm:hidden',
      // What ended before the pause is no rate of now.
      cell: (share) => <Rate value={isPaused(share) ? null : share.completedPerSecond} dim />,
    },
    {
      key: 'p95',
      head: 'p95 run',
      width: 86,
      numeric: true,
      className: 'max-sm:hidden',
      cell: ({ runTimeP95Ms }) => <Duration ms={runTimeP95Ms} dim />,
    },
    {
      key: 'pause',
      head: <span className="sr-only">Pause</span>,
      width: 96,
      truncate: false,
      cellClassName: 'pr-3 text-right',
      cell: ({ name }) =>
        paused.has(`${kind}:${name}`) ? (
          <span className="inline-flex items-center gap-1 text-state-held text-sm">
            <CirclePause aria-hidden className="size-3.5" />
            Paused
          </span>
        ) : (
          operate.shown && (
            <Button
              size="sm"
              variant="ghost"
              blocked={operate.missing}
              aria-label={`Pause ${name}…`}
              onClick={() => setPausing(name)}
            >
              Pause…
            </Button>
          )
        ),
    },
  ];
  const rows = breakdown && (kind === 'tenant' ? breakdown.tenants : breakdown.types);
  return (
    <>
      <DataTable
        label={`Jobs by ${NOUNS[kind].toLowerCase()}`}
        columns={columns}
        rows={rows}
        // By position: when others take their place, nothing on the page moves.
        rowKey={(_, index) => index}
        skeletonRows={5}
        empty="No ready or completed jobs."
      />
      {pausing !== null && (
        <PauseDialog queue={queue} target={{ kind, name: pausing }} onClose={() => setPausing(null)} />
      )}
    </>
  );
}

function ShareBar({ share }: { share: number }) {
  return (
    <span className="flex items-center gap-2">
      <span aria-hidden className="h-1.5 min-w-8 flex-1 overflow-hidden rounded-full bg-line">
        <span className="block h-full rounded-full bg-state-ready" style={{ width: `${share * 100}%` }} />
      </span>
      <Percent value={share} className="w-10 shrink-0 text-right" />
    </span>
  );
}
