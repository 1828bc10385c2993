'use client';
import { useState } from 'react';
import { completedSourceLabel, otherHeldLabel, readySourceLabel } from '@/components/shared/breakdown-labels';
import { Segmented } from '@/components/ui/controls/segmented';
import { Panel } from '@/components/ui/panel';
import { type DataColumn, DataTable } from '@/components/ui/tables/data-table';
import { Percent } from '@/components/ui/text/number';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { useBreakdown } from '@/lib/browser/queues/use-breakdown';
import type { QueueBreakdown } from '@/lib/contract/queues/breakdown-schemas';
import type { QueueNumbers } from '@/lib/contract/queues/queue-schemas';
import { fullNumber } from '@/lib/format/number';
import { count } from '@/lib/format/plural';
import { hasBreakdown } from '../../shared/queue-state';
import { MemoryTable } from './memory-table';
import { SharesTable } from './shares-table';

const VIEWS = [
  { value: 'tenant', label: 'Tenants' },
  { value: 'type', label: 'Job types' },
  { value: 'priority', label: 'Priorities' },
  { value: 'memory', label: 'Memory' },
] as const;
type View = (typeof VIEWS)[number]['value'];

/** Who the jobs are of, and what they take. Its height is fixed unless there is nothing, and its rows stand still under the pointer or focus. */
export function BreakdownPanel({ queue }: { queue: QueueNumbers }) {
  const [view, setView] = useState<View>('tenant');
  const [held, setHeld] = useState(false);
  const [filled, setFilled] = useState(false);
  // Once it has had something to show it keeps its height: a live page must not jump.
  if (!filled && hasBreakdown(queue)) setFilled(true);
  const isEmpty = !filled && view !== 'memory';
  const { data, error } = useBreakdown(queue.queue, { enabled: filled && view !== 'memory', held });
  return (
    <Panel
      flush
      title="Breakdown"
      aside={<Segmented label="Break down by" value={view} options={VIEWS} onChange={setView} />}
    >
      <fieldset
        aria-label="Breakdown"
        className={isEmpty ? undefined : 'flex h-56 flex-col'}
        onPointerEnter={() => setHeld(true)}
        onPointerLeave={() => setHeld(false)}
        onFocus={() => setHeld(true)}
        onBlur={() => setHeld(false)}
      >
        {isEmpty ? (
          <p className="px-3 py-4 text-center text-muted text-sm">No ready, held or completed jobs.</p>
        ) : (
          <div className="min-h-0 flex-1 overflow-auto">
            {error && !data && view !== 'memory' && (
              <p className="px-3 py-4 text-bad text-sm">{error.detail}</p>
            )}
            {view === 'memory' && <MemoryTable queue={queue.queue} />}
            {view === 'priority' && <PrioritiesTable breakdown={data ?? null} />}
            {(view === 'tenant' || view === 'type') && (
              <SharesTable key={view} kind={view} queue={queue} breakdown={data ?? null} />
            )}
          </div>
        )}
        {data && view !== 'memory' && <Source breakdown={data} view={view} isStopped={held} />}
      </fieldset>
    </Panel>
  );
}

function Source({
  breakdown,
  view,
  isStopped,
}: {
  breakdown: QueueBreakdown;
  view: Exclude<View, 'memory'>;
  isStopped: boolean;
}) {
  const { unavailable, more } = breakdown;
  const otherHeld = view === 'priority' ? null : otherHeldLabel(breakdown, view);
  const hidden = view === 'tenant' ? more.tenants : view === 'type' ? more.types : 0;
  return (
    <p className="shrink-0 border-line border-t px-3 py-1 text-faint text-xs">
      Read <RelativeTime at={breakdown.at} />
      {isStopped && <span className="text-warn">, auto-refresh paused</span>}.{' '}
      {otherHeld !== null && <span className="text-state-held">{otherHeld} </span>}
      {view === 'priority' ? 'Exact.' : `${readySourceLabel(breakdown)} ${completedSourceLabel(breakdown)}`}
      {hidden > 0 && ` ${count(hidden, view === 'tenant' ? 'more tenant' : 'more job type')} not listed.`}
      {unavailable.length > 0 && ` Without shards ${unavailable.join(', ')}, which cannot be reached.`}
    </p>
  );
}

function PrioritiesTable({ breakdown }: { breakdown: QueueBreakdown | null }) {
  const total = breakdown?.ready.total ?? 0;
  const columns: DataColumn<QueueBreakdown['priorities'][number]>[] = [
    {
      key: 'priority',
      head: 'Priority',
      width: 120,
      rowHeader: true,
      cellClassName: 'pl-3',
      cell: ({ priority }) => priority,
    },
    { key: 'ready', head: 'Ready', width: 110, numeric: true, cell: ({ ready }) => fullNumber(ready) },
    {
      key: 'share',
      head: 'Share',
      numeric: true,
      width: 90,
      cell: ({ ready }) => <Percent value={total === 0 ? null : Math.min(1, ready / total)} />,
    },
    { key: 'rest', head: '', cell: () => null },
  ];
  return (
    <DataTable
      label="Ready jobs by priority"
      columns={columns}
      rows={breakdown?.priorities ?? null}
      rowKey={({ priority }) => priority}
      skeletonRows={4}
      empty="No ready jobs."
    />
  );
}
