'use client';
import { ChevronRight } from 'lucide-react';
import { RelativeTime } from '@/components/ui/relative-time';
import { SkeletonRows } from '@/components/ui/skeleton';
import { ColumnHeads, FullRow, Table, TBody, Td, Tr } from '@/components/ui/table';
import { usePhone } from '@/components/ui/use-phone';
import type { AuditEntry } from '@/lib/contract/audit';
import { visible } from '@/lib/format/text';
import { ObjectCell, WhatCell, whatTitle } from './entry-cells';
import { Result } from './result';
import { actionWords, fromWords } from './words';

const COLUMNS = [
  { head: 'When', width: 84 },
  { head: 'Who', width: 132 },
  { head: 'Action', width: 180 },
  { head: 'Object', width: '27%' },
  { head: 'Why and how many', width: undefined },
  { head: 'Result', width: 176 },
] as const;

interface Props {
  /** Null until they are known. */
  entries: readonly AuditEntry[] | null;
  empty: React.ReactNode;
  onOpen: (entry: AuditEntry) => void;
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

function Wide({ entries, empty, onOpen }: Props) {
  return (
    <Table label="Audit log" className="min-w-[60rem] table-fixed">
      <ColumnHeads columns={COLUMNS} />
      <TBody>
        {entries === null && <SkeletonRows columns={COLUMNS.length} rows={16} />}
        {entries?.length === 0 && <FullRow span={COLUMNS.length}>{empty}</FullRow>}
        {entries?.map((entry) => (
          <Row key={entry.n} entry={entry} onOpen={onOpen} />
        ))}
      </TBody>
    </Table>
  );
}

function Row({ entry, onOpen }: { entry: AuditEntry; onOpen: Props['onOpen'] }) {
  const words = visible(actionWords(entry.action));
  return (
    <Tr
      className="cursor-pointer"
      onClick={({ target }) => {
        // A link leads where it says, and text that is being selected is not a click.
        if (target instanceof Element && target.closest('a, button')) return;
        if (window.getSelection()?.toString()) return;
        onOpen(entry);
      }}
    >
      <Td>
        <RelativeTime at={entry.at} className="text-muted" />
      </Td>
      <Td truncate title={visible(fromWords(entry), '\n')}>
        {visible(entry.actor)}
      </Td>
      <Td truncate title={entry.action}>
        <button
          type="button"
          onClick={() => onOpen(entry)}
          className="max-w-full truncate rounded-xs font-medium hover:underline"
          aria-label={`${words}: details of entry ${entry.n}`}
        >
          {words}
        </button>
      </Td>
      <Td truncate title={entry.object ? visible(entry.object.id) : undefined}>
        <ObjectCell entry={entry} />
      </Td>
      <Td truncate title={whatTitle(entry)}>
        <WhatCell entry={entry} />
      </Td>
      <Td truncate>
        <Result entry={entry} />
      </Td>
    </Tr>
  );
}

function Narrow({ entries, empty, onOpen }: Props) {
  return (
    <ul aria-label="Audit log" className="divide-y divide-line">
      {entries === null && <li className="h-60" aria-busy />}
      {entries?.length === 0 && <li className="px-3 py-6 text-center text-muted">{empty}</li>}
      {entries?.map((entry) => (
        <li key={entry.n} className="grid gap-0.5 px-3 py-2">
          <div className="flex items-center justify-between gap-2">
            <button
              type="button"
              onClick={() => onOpen(entry)}
              className="inline-flex min-h-6 min-w-0 items-center gap-1 font-medium"
              aria-label={`${visible(actionWords(entry.action))}: details of entry ${entry.n}`}
            >
              <span className="truncate">{visible(actionWords(entry.action))}</span>
              <ChevronRight aria-hidden className="size-3.5 shrink-0 text-faint" />
            </button>
            <span className="min-w-0 shrink-0 text-xs">
              <Result entry={entry} />
            </span>
          </div>
          <p className="truncate leading-6">
            <ObjectCell entry={entry} />
          </p>
          {whatTitle(entry) && (
            <p className="line-clamp-2 [overflow-wrap:anywhere]">
              <WhatCell entry={entry} />
            </p>
          )}
          <p className="truncate text-faint text-xs">
            {visible(entry.actor)} · <RelativeTime at={entry.at} />
          </p>
        </li>
      ))}
    </ul>
  );
}
