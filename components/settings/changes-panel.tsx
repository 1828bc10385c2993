'use client';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { type DataColumn, DataTable } from '@/components/ui/tables/data-table';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { useTimeZone } from '@/components/ui/text/time-zone-choice';
import { useChanges } from '@/lib/browser/queues/use-queue-config';
import type { QueueChange } from '@/lib/contract/queues/queue-config';
import { revealHidden } from '@/lib/format/display-text';
import { changeLabel } from './labels';

/** Pauses, draining, changes of settings and shards, with user and reason. */
export function ChangesPanel({ queue }: { queue: string }) {
  const { data, error } = useChanges(queue);
  return (
    <Panel title="Change history" flush aside="newest first">
      {error && !data && <p className="px-3 py-4 text-bad text-sm">{error.detail}</p>}
      {!data && !error && <Skeleton className="m-3 w-1/2" />}
      {data?.changes.length === 0 && (
        <p className="px-3 py-6 text-center text-muted text-sm">No change is on record.</p>
      )}
      {data && data.changes.length > 0 && (
        <DataTable
          label="Change history"
          region="max-h-96"
          className="sm:min-w-[36rem]"
          columns={COLUMNS}
          rows={data.changes}
          rowKey={({ id }) => id}
        />
      )}
    </Panel>
  );
}

function What({ change }: { change: QueueChange }) {
  const { title, lines } = changeLabel(change, useTimeZone());
  return (
    <>
      {revealHidden(title)}
      <span className="block text-muted text-xs [overflow-wrap:anywhere] sm:hidden">
        {revealHidden(change.actor)}
        {change.reason && `: “${revealHidden(change.reason)}”`}
      </span>
      {lines.length > 0 && (
        <ul className="text-xs">
          {lines.map(({ id, label, before, after }) => (
            <li key={id} className="[overflow-wrap:anywhere]">
              <span className="text-muted">{label}:</span> {revealHidden(before)} <span aria-hidden>→</span>
              <span className="sr-only">became</span> {revealHidden(after)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const COLUMNS: readonly DataColumn<QueueChange>[] = [
  {
    key: 'when',
    head: 'When',
    width: 92,
    truncate: false,
    cellClassName: 'py-1 align-top',
    cell: ({ at }) => <RelativeTime at={at} className="text-muted" />,
  },
  {
    key: 'who',
    head: 'Who',
    width: 130,
    className: 'max-sm:hidden',
    cellClassName: 'py-1 align-top',
    title: ({ actor }) => revealHidden(actor),
    cell: ({ actor }) => revealHidden(actor),
  },
  {
    key: 'what',
    head: 'What',
    truncate: false,
    cellClassName: 'whitespace-normal py-1 align-top',
    cell: (change) => <What change={change} />,
  },
  {
    key: 'why',
    head: 'Why',
    width: '32%',
    className: 'max-sm:hidden',
    truncate: false,
    cellClassName: 'whitespace-normal py-1 align-top text-muted [overflow-wrap:anywhere]',
    cell: ({ reason }) => (reason ? `“${revealHidden(reason)}”` : <span className="text-faint">–</span>),
  },
];
