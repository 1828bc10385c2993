'use client';
import Link from 'next/link';
import { cn } from '@/components/ui/cn';
import { type DataColumn, DataTable } from '@/components/ui/tables/data-table';
import { Rate } from '@/components/ui/text/number';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { links } from '@/lib/browser/links';
import { useServerNow } from '@/lib/browser/live/live-provider';
import { movedPerSecond } from '@/lib/contract/operations/moved-rate';
import type { Operation } from '@/lib/contract/operations/operation';
import { scopeLabel, shortScopeLabel } from '@/lib/contract/operations/operation-text';
import { revealHidden } from '@/lib/format/display-text';
import { UndoButton } from './action-buttons';
import { progressLabel } from './labels';
import { KindLabel, OperationBar, OperationStatusBadge, OutcomeBar } from './operation-status';

const COLUMNS: readonly DataColumn<Operation>[] = [
  {
    key: 'kind',
    head: 'Operation',
    width: 132,
    cell: ({ id, kind }) => (
      <Link href={links.operation(id)} className="rounded-xs hover:underline">
        <KindLabel kind={kind} />
      </Link>
    ),
  },
  {
    key: 'status',
    head: 'Status',
    className: 'w-36 @2xl:w-48 @6xl:w-59',
    truncate: false,
    cell: (operation) => <OperationStatusBadge operation={operation} isNarrow />,
  },
  {
    key: 'scope',
    head: 'Scope and reason',
    title: ({ scope, kind, reason }) => revealHidden(`${scopeLabel(scope, kind)}\n${reason}`, '\n'),
    cellClassName: 'h-10',
    cell: ({ scope, kind, reason }) => (
      <>
        <span
          translate={scope.q ? 'no' : undefined}
          className={cn('block truncate leading-4', scope.q && 'font-mono text-xs')}
        >
          {revealHidden(shortScopeLabel(scope, kind))}
        </span>
        <span className="block truncate text-muted text-xs">{revealHidden(reason)}</span>
      </>
    ),
  },
  {
    key: 'progress',
    head: 'Progress',
    width: 176,
    narrow: '@max-4xl:hidden',
    truncate: false,
    cell: (operation) => (
      <span className="grid grid-cols-[minmax(0,1fr)_6.5rem] items-center gap-2">
        <OperationBar operation={operation} />
        <span className="truncate text-right text-xs" title={progressLabel(operation)}>
          {progressLabel(operation)}
        </span>
      </span>
    ),
  },
  {
    key: 'rate',
    head: 'Rate',
    width: 72,
    narrow: '@max-7xl:hidden',
    numeric: true,
    cellClassName: 'text-muted',
    cell: (operation) => <CurrentRate operation={operation} />,
  },
  {
    key: 'outcome',
    head: 'Outcome',
    width: 96,
    narrow: '@max-7xl:hidden',
    truncate: false,
    cell: (operation) =>
      operation.outcome && operation.moved > 0 ? (
        <OutcomeBar outcome={operation.outcome} />
      ) : (
        <span className="text-faint">–</span>
      ),
  },
  {
    key: 'actor',
    head: 'By',
    width: 120,
    narrow: '@max-5xl:hidden',
    title: ({ actor }) => revealHidden(actor),
    cell: ({ actor }) => revealHidden(actor),
  },
  {
    key: 'started',
    head: 'Started',
    width: 84,
    narrow: '@max-2xl:hidden',
    numeric: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} className="text-muted" />,
  },
  {
    key: 'undo',
    head: 'Undo',
    width: 172,
    narrow: '@max-2xl:hidden',
    truncate: false,
    cell: (operation) => <UndoButton operation={operation} size="sm" />,
  },
];

/** `operations` is null while they load. */
export function OperationsTable({
  operations,
  empty,
}: {
  operations: readonly Operation[] | null;
  empty: string;
}) {
  return (
    <DataTable
      label="Operations"
      name="operations"
      columns={COLUMNS}
      rows={operations}
      rowKey={({ id }) => id}
      empty={empty}
    />
  );
}

function CurrentRate({ operation }: { operation: Operation }) {
  const now = useServerNow(5_000);
  return <Rate value={movedPerSecond(operation, now)} />;
}
