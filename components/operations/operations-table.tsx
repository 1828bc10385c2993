'use client';
import type { Route } from 'next';
import Link from 'next/link';
import { Rate } from '@/components/ui/number';
import { RelativeTime } from '@/components/ui/relative-time';
import { SkeletonRows } from '@/components/ui/skeleton';
import { ColumnHeads, FullRow, Table, TBody, Td, Tr } from '@/components/ui/table';
import { links } from '@/lib/client/links';
import { useServerNow } from '@/lib/client/live';
import { diedAgainShare, scopeShort, scopeWords } from '@/lib/contract/operation-words';
import type { Operation } from '@/lib/contract/operations';
import { percent } from '@/lib/format/number';
import { visible } from '@/lib/format/text';
import { OperationBar } from './operation-progress';
import { KindWord, StatusBadge } from './operation-status';
import { OutcomeBar } from './outcome-bar';
import { UndoButton } from './undo-button';
import { progressWords, speedOf } from './words';

const COLUMNS = [
  { head: 'Operation', width: 132 },
  { head: 'Status', width: 148 },
  { head: 'What', width: undefined },
  { head: 'Reason', width: undefined },
  { head: 'Progress', width: 176 },
  { head: 'Rate', width: 64, numeric: true },
  { head: 'Outcome', width: 132 },
  { head: 'By', width: 92 },
  { head: 'Started', width: 76, numeric: true },
  { head: 'Undo', width: 92 },
] as const;

/** `operations` is null until they are known. */
export function OperationsTable({
  operations,
  empty,
}: {
  operations: readonly Operation[] | null;
  empty: string;
}) {
  return (
    <Table label="Operations" className="min-w-[72rem] table-fixed">
      <ColumnHeads columns={COLUMNS} />
      <TBody>
        {operations === null && <SkeletonRows columns={COLUMNS.length} rows={8} />}
        {operations?.length === 0 && <FullRow span={COLUMNS.length}>{empty}</FullRow>}
        {operations?.map((operation) => (
          <Row key={operation.id} operation={operation} />
        ))}
      </TBody>
    </Table>
  );
}

function Row({ operation }: { operation: Operation }) {
  const now = useServerNow(5_000);
  const { id, kind, status, scope, reason, outcome, moved, actor, createdAt } = operation;
  return (
    <Tr>
      <Td truncate>
        <Link href={links.operation(id) as Route} className="rounded-xs hover:underline">
          <KindWord kind={kind} />
        </Link>
      </Td>
      <Td>
        <StatusBadge status={status} />
      </Td>
      <Td
        truncate
        title={visible(scopeWords(scope, kind))}
        className={scope.q ? 'font-mono text-xs' : undefined}
      >
        {visible(scopeShort(scope, kind))}
      </Td>
      <Td truncate title={visible(reason)} className="text-muted">
        {visible(reason)}
      </Td>
      <Td>
        <span className="grid grid-cols-[minmax(0,1fr)_6.5rem] items-center gap-2">
          <OperationBar operation={operation} />
          <span className="truncate text-right text-xs" title={progressWords(operation)}>
            {progressWords(operation)}
          </span>
        </span>
      </Td>
      <Td numeric className="text-muted">
        {moved > 0 ? <Rate value={speedOf(operation, now)} /> : '–'}
      </Td>
      <Td>
        {outcome && moved > 0 ? (
          <span className="grid grid-cols-[minmax(0,1fr)_max-content] items-center gap-2">
            <OutcomeBar outcome={outcome} />
            <DiedAgain operation={operation} />
          </span>
        ) : (
          <span className="text-faint">–</span>
        )}
      </Td>
      <Td truncate title={visible(actor)}>
        {visible(actor)}
      </Td>
      <Td numeric>
        <RelativeTime at={createdAt} className="text-muted" />
      </Td>
      <Td>
        <UndoButton operation={operation} size="sm" />
      </Td>
    </Tr>
  );
}

function DiedAgain({ operation }: { operation: Operation }) {
  const share = diedAgainShare(operation);
  if (share === null) return <span className="text-faint text-xs">running</span>;
  return <span className={share > 0 ? 'text-bad text-xs' : 'text-faint text-xs'}>{percent(share)} dead</span>;
}
