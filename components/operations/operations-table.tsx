'use client';
import Link from 'next/link';
import { Num } from '@/components/ui/number';
import { RelativeTime } from '@/components/ui/relative-time';
import { SkeletonRows } from '@/components/ui/skeleton';
import { ColumnHeads, FullRow, Table, TBody, Td, Tr } from '@/components/ui/table';
import type { Operation } from '@/lib/contract/operations';
import { OperationBar } from './operation-progress';
import { KindWord, operationLink, StatusBadge } from './operation-status';
import { progressWords, selectionWords } from './words';

const COLUMNS = [
  { head: 'Operation', width: 104 },
  { head: 'Status', width: 108 },
  { head: 'What', width: undefined },
  { head: 'Reason', width: undefined },
  { head: 'Progress', width: 230 },
  { head: 'Skipped', width: 76, numeric: true },
  { head: 'By', width: 110 },
  { head: 'Started', width: 88, numeric: true },
] as const;

/** `operations` is null until they are known. */
export function OperationsTable({ operations }: { operations: readonly Operation[] | null }) {
  return (
    <Table label="Operations" className="min-w-[58rem] table-fixed">
      <ColumnHeads columns={COLUMNS} />
      <TBody>
        {operations === null && <SkeletonRows columns={COLUMNS.length} rows={8} />}
        {operations?.length === 0 && <FullRow span={COLUMNS.length}>No more operations.</FullRow>}
        {operations?.map((operation) => (
          <Tr key={operation.id}>
            <Td>
              <Link href={operationLink(operation.id)} className="rounded-xs hover:underline">
                <KindWord kind={operation.kind} />
              </Link>
            </Td>
            <Td>
              <StatusBadge status={operation.status} />
            </Td>
            <Td truncate title={selectionWords(operation)}>
              {selectionWords(operation)}
            </Td>
            <Td truncate title={operation.reason} className="text-muted">
              {operation.reason}
            </Td>
            <Td>
              <span className="grid grid-cols-[minmax(0,1fr)_7.5rem] items-center gap-2">
                <OperationBar operation={operation} />
                <span className="truncate text-right text-xs">{progressWords(operation)}</span>
              </span>
            </Td>
            <Td numeric>
              <Num value={operation.skipped} dim />
            </Td>
            <Td truncate title={operation.actor}>
              {operation.actor}
            </Td>
            <Td numeric>
              <RelativeTime at={operation.createdAt} className="text-muted" />
            </Td>
          </Tr>
        ))}
      </TBody>
    </Table>
  );
}
