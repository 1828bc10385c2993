'use client';
import { ChevronRight } from '@/components/ui/icons';
import { type DataColumn, DataTable } from '@/components/ui/tables/data-table';
import { useNow } from '@/components/ui/text/clock-provider';
import { AbsoluteTime } from '@/components/ui/text/relative-time';
import { useTimeZone } from '@/components/ui/text/time-zone-choice';
import { usePhone } from '@/components/ui/use-phone';
import { absoluteLocal } from '@/lib/format/date-time';
import { revealHidden } from '@/lib/format/display-text';
import { AuditResult, DetailCell, detailTitle, ObjectCell } from './audit-event-cells';
import { originLabel } from './labels';
import { type AuditRow, eventLabel } from './operation-rows';

interface Props {
  /** Null while loading. */
  rows: readonly AuditRow[] | null;
  /** So many rows come a moment later. */
  missing: number;
  empty: React.ReactNode;
  onOpen: (row: AuditRow) => void;
}

/** A table where there is room for one, a list on a phone. */
export function AuditTable(props: Props) {
  const phone = usePhone();
  return (
    <>
      {phone !== true && (
        <div className="max-md:hidden">
          <Wide {...props} />
        </div>
      )}
      {phone !== false && (
        <div className="md:hidden">
          <Narrow {...props} />
        </div>
      )}
    </>
  );
}

function Wide({ rows, missing, empty, onOpen }: Props) {
  return (
    <DataTable
      label="Audit log"
      className="min-w-[60rem]"
      columns={columnsOf(onOpen)}
      rows={rows}
      // By position: when others take their place, nothing on the page moves.
      rowKey={(_, index) => index}
      rowProps={(row) => ({
        className: 'cursor-pointer',
        onClick: ({ target }) => {
          // Links keep their target, and selecting text is not a click.
          if (target instanceof Element && target.closest('a, button')) return;
          if (window.getSelection()?.toString()) return;
          onOpen(row);
        },
      })}
      skeletonRows={16}
      missing={missing}
      empty={empty}
    />
  );
}

/** The zone once, for all rows. */
function TimeHead() {
  const [, , zone] = absoluteLocal(useNow(60_000), useTimeZone()).split(' ');
  return (
    <span className="block truncate" suppressHydrationWarning>
      Time ({zone})
    </span>
  );
}

const columnsOf = (onOpen: Props['onOpen']): DataColumn<AuditRow>[] => [
  {
    key: 'when',
    head: <TimeHead />,
    width: 168,
    truncate: false,
    cell: ({ entry }) => <AbsoluteTime at={entry.at} className="text-muted" />,
  },
  {
    key: 'who',
    head: 'Who',
    width: 116,
    title: ({ entry }) => revealHidden(originLabel(entry), '\n'),
    cell: ({ entry }) => revealHidden(entry.actor),
  },
  {
    key: 'action',
    head: 'Action',
    width: 180,
    title: ({ entry }) => revealHidden(`${eventLabel(entry)}\n${entry.action}`, '\n'),
    cell: (row) => (
      <button
        type="button"
        onClick={() => onOpen(row)}
        className="max-w-full truncate rounded-xs font-medium hover:underline"
        aria-label={`${revealHidden(eventLabel(row.entry))}: details of event ${row.entry.n}`}
      >
        {revealHidden(eventLabel(row.entry))}
      </button>
    ),
  },
  {
    key: 'object',
    head: 'Object',
    width: '25%',
    title: ({ entry: { object } }) => (object ? revealHidden(object.id) : undefined),
    cell: ({ entry }) => <ObjectCell entry={entry} />,
  },
  {
    key: 'detail',
    head: 'Reason and outcome',
    title: detailTitle,
    cell: (row) => <DetailCell row={row} />,
  },
  { key: 'result', head: 'Result', width: 132, cell: (row) => <AuditResult {...row} /> },
];

function Narrow({ rows, empty, onOpen }: Props) {
  return (
    <ul aria-label="Audit log" className="divide-y divide-line">
      {rows === null && <li className="h-60" aria-busy />}
      {rows?.length === 0 && <li className="px-3 py-6 text-center text-muted">{empty}</li>}
      {rows?.map(({ entry, ends }) => (
        <li key={entry.n} className="grid gap-0.5 px-3 py-2">
          <div className="flex items-center justify-between gap-2">
            <button
              type="button"
              onClick={() => onOpen({ entry, ends })}
              className="inline-flex min-h-6 min-w-0 items-center gap-1 font-medium"
              aria-label={`${revealHidden(eventLabel(entry))}: details of event ${entry.n}`}
            >
              <span className="truncate">{revealHidden(eventLabel(entry))}</span>
              <ChevronRight aria-hidden className="size-3.5 shrink-0 text-faint" />
            </button>
            <span className="min-w-0 shrink-0 text-xs">
              <AuditResult entry={entry} ends={ends} />
            </span>
          </div>
          <p className="truncate leading-6">
            <ObjectCell entry={entry} />
          </p>
          {detailTitle({ entry, ends }) && (
            <p className="line-clamp-2 [overflow-wrap:anywhere]">
              <DetailCell row={{ entry, ends }} />
            </p>
          )}
          <p className="truncate text-faint text-xs">
            {revealHidden(entry.actor)} · <AbsoluteTime at={entry.at} />
          </p>
        </li>
      ))}
    </ul>
  );
}
