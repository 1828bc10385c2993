'use client';
import { useMemo } from 'react';
import { urlInteger, urlOneOf, urlText, useUrlState } from '@/components/shared/url-state';
import { AUDIT_OBJECTS, AUDIT_RESULTS } from '@/lib/contract/audit/audit-objects';
import type { AuditFilter } from '@/lib/contract/audit/audit-schemas';

const PARSERS = {
  text: urlText,
  actor: urlText,
  action: urlText,
  result: urlOneOf(AUDIT_RESULTS),
  queue: urlText,
  kind: urlOneOf(AUDIT_OBJECTS),
  id: urlText,
  from: urlInteger,
  to: urlInteger,
  cursor: urlText,
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
  const [view, set] = useUrlState(PARSERS, 'push');
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
    setFilter: (change) => set({ ...change, cursor: null }),
    clear: () => set(Object.fromEntries([...AUDIT_FILTERS, 'cursor'].map((field) => [field, null]))),
    setCursor: (next) => set({ cursor: next }),
  };
}
