'use client';
import Link from 'next/link';
import { type DataColumn, DataTable } from '@/components/ui/tables/data-table';
import { Rate } from '@/components/ui/text/number';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { links } from '@/lib/browser/links';
import { useServerNow } from '@/lib/browser/live/live-provider';
import type { Operation } from '@/lib/contract/operations/operation';
import { diedAgainShare, scopeLabel, shortScopeLabel } from '@/lib/contract/operations/operation-text';
import { revealHidden } from '@/lib/format/display-text';
import { percent } from '@/lib/format/number';
import { UndoButton } from './action-buttons';
import { jobsPerSecond, progressLabel } from './labels';
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
    width: 148,
    truncate: false,
    cell: ({ status }) => <OperationStatusBadge status={status} />,
  },
  {
    key: 'scope',
    head: 'Scope',
    title: ({ scope, kind }) => revealHidden(scopeLabel(scope, kind)),
    cellClassName: ({ scope }) => (scope.q ? 'font-mono text-xs' : undefined),
    cell: ({ scope, kind }) => revealHidden(shortScopeLabel(scope, kind)),
  },
  {
    key: 'reason',
    head: 'Reason',
    title: ({ reason }) => revealHidden(reason),
    cellClassName: 'text-muted',
    cell: ({ reason }) => revealHidden(reason),
  },
  {
    key: 'progress',
    head: 'Progress',
    width: 176,
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
    width: 64,
    numeric: true,
    cellClassName: 'text-muted',
    cell: (operation) => <CurrentRate operation={operation} />,
  },
  {
    key: 'outcome',
    head: 'Outcome',
    width: 132,
    truncate: false,
    cell: (operation) =>
      operation.outcome && operation.moved > 0 ? (
        <span className="grid grid-cols-[minmax(0,1fr)_max-content] items-center gap-2">
          <OutcomeBar outcome={operation.outcome} />
          <DiedAgain operation={operation} />
        </span>
      ) : (
        <span className="text-faint">–</span>
      ),
  },
  {
    key: 'actor',
    head: 'By',
    width: 92,
    title: ({ actor }) => revealHidden(actor),
    cell: ({ actor }) => revealHidden(actor),
  },
  {
    key: 'started',
    head: 'Started',
    width: 76,
    numeric: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} className="text-muted" />,
  },
  {
    key: 'undo',
    head: 'Undo',
    width: 92,
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
      className="min-w-[72rem]"
      columns={COLUMNS}
      rows={operations}
      rowKey={({ id }) => id}
      empty={empty}
    />
  );
}

function CurrentRate({ operation }: { operation: Operation }) {
  const now = useServerNow(5_000);
  return operation.moved > 0 ? <Rate value={jobsPerSecond(operation, now)} /> : '–';
}

function DiedAgain({ operation }: { operation: Operation }) {
  const share = diedAgainShare(operation);
  if (share === null) return <span className="text-faint text-xs">running</span>;
  return <span className={share > 0 ? 'text-bad text-xs' : 'text-faint text-xs'}>{percent(share)} dead</span>;
}
