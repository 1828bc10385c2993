'use client';
import { needsRows } from '@/lib/client/needs-rows';
import type { Filter } from '@/lib/contract/query';
import { GroupHead } from './group-head';
import { IndexedRows } from './indexed-rows';
import { StreamedRows } from './streamed-rows';
import { groupOf } from './terms';

export interface RowsProps {
  q: string;
  cursor: string | null;
  setCursor: (cursor: string | null) => void;
  /** Nothing stands beside the list. */
  roomy: boolean;
  onClearQuery: () => void;
}

/** The dead letters that match, one by one; about one failure group, headed by what is known of that. */
export function RowsView({ filter, ...rows }: RowsProps & { filter: Filter }) {
  const group = groupOf(filter);
  return (
    <>
      {group !== null && <GroupHead key={group} id={group} q={rows.q} />}
      {needsRows(filter) ? <StreamedRows {...rows} /> : <IndexedRows {...rows} />}
    </>
  );
}
