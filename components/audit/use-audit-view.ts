'use client';
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import { AUDIT_OBJECTS, AUDIT_RESULTS } from '@/lib/contract/audit/audit-objects';
import type { AuditFilter } from '@/lib/contract/audit/audit-schemas';

const PARSERS = {
  text: parseAsString,
  actor: parseAsString,
  action: parseAsString,
  result: parseAsStringLiteral(AUDIT_RESULTS),
  queue: parseAsString,
  kind: parseAsStringLiteral(AUDIT_OBJECTS),
  id: parseAsString,
  from: parseAsInteger,
  to: parseAsInteger,
  cursor: parseAsString,
};
export const AUDIT_FILTERS = [
  'text',
  'actor',
  'action',
  'result',
  'queue',
  'kind',
  'id',
  'from',
  'to',
] as const satisfies readonly (keyof AuditFilter)[];
export type FilterField = (typeof AUDIT_FILTERS)[number];

export interface AuditView {
  /** Only filters that are set. */
  filter: AuditFilter;
  cursor: string | null;
  /** Returns to the first page. */
  setFilter: (change: { [K in FilterField]?: AuditFilter[K] | null }) => void;
  clear: () => void;
  setCursor: (cursor: string | null) => void;
}

/** Filters and page of the log, held by the URL. */
export function useAuditView(): AuditView {
  const [view, set] = useQueryStates(PARSERS, { history: 'push' });
  const { cursor, ...fields } = view;
  const key = JSON.stringify(fields);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says all there is to say of the fields.
  const filter = useMemo(
    () =>
      Object.fromEntries(
        Object.entries(fields).filter(([, value]) => value !== null && value !== ''),
      ) as AuditFilter,
    [key],
  );
  return {
    filter,
    cursor,
    setFilter: (change) => void set({ ...change, cursor: null }),
    clear: () => void set(Object.fromEntries([...AUDIT_FILTERS, 'cursor'].map((field) => [field, null]))),
    setCursor: (next) => void set({ cursor: next }),
  };
}
