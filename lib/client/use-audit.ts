'use client';
/** The audit log, a page at a time. */
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { paths } from '@/lib/contract/api';
import {
  type AuditCheck,
  type AuditFilter,
  type AuditPage,
  auditCheckSchema,
  auditPageSchema,
} from '@/lib/contract/audit';
import { isEverywhere } from '@/lib/contract/permissions';
import { type ApiError, request, withQuery } from './api';
import { keys } from './keys';
import { links } from './links';
import { useMay, useWithin } from './permissions';
import { queryDefaults } from './query-options';

const AUDIT_PAGE_LIMIT = 50;
const NEWEST_MS = 10_000;
/** Looking through thousands of entries may take longer than a page otherwise waits. */
const AUDIT_DEADLINE_MS = 20_000;

const ask = (filter: AuditFilter, cursor: string | null, signal: AbortSignal): Promise<AuditPage> =>
  request(withQuery(paths.audit(), { ...filter, cursor, limit: AUDIT_PAGE_LIMIT }), {
    schema: auditPageSchema,
    signal,
    deadlineMs: AUDIT_DEADLINE_MS,
  });

/** One page. It is read once: what is being read must not move. */
export function useAuditPage(
  filter: AuditFilter,
  cursor: string | null,
): UseQueryResult<AuditPage, ApiError> {
  return useQuery<AuditPage, ApiError>({
    ...queryDefaults,
    queryKey: keys.auditPage(filter, cursor),
    queryFn: ({ signal }) => ask(filter, cursor, signal),
    staleTime: Number.POSITIVE_INFINITY,
    // Who comes back to the log wants it as it is then.
    gcTime: 0,
    refetchOnWindowFocus: false,
    placeholderData: keepPreviousData,
  });
}

/** How many newer than entry `n` there are by now; `more`: at least that many. */
export function useNewerThan(filter: AuditFilter, n: number | null): { count: number; more: boolean } {
  const { data } = useQuery<AuditPage, ApiError>({
    ...queryDefaults,
    enabled: n !== null,
    queryKey: keys.auditNewest(filter),
    queryFn: ({ signal }) => ask(filter, null, signal),
    refetchInterval: NEWEST_MS,
    staleTime: NEWEST_MS,
    gcTime: 0,
  });
  const count = n === null ? 0 : (data?.entries.filter((entry) => entry.n > n).length ?? 0);
  return { count, more: count >= AUDIT_PAGE_LIMIT };
}

export function useAuditCheck(enabled: boolean): UseQueryResult<AuditCheck, ApiError> {
  return useQuery<AuditCheck, ApiError>({
    ...queryDefaults,
    enabled,
    queryKey: keys.auditCheck(),
    queryFn: ({ signal }) =>
      request(paths.auditCheck(), { schema: auditCheckSchema, signal, deadlineMs: 60_000 }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

/** Whether all of the log is theirs to see, and not only that of some queues or what they did themselves. */
export const useSeesWholeLog = (): boolean => isEverywhere(useWithin('audit'));

/** All that matches as a file. */
export const auditFileHref = (filter: AuditFilter, format: 'ndjson' | 'csv'): string =>
  withQuery(paths.auditFile(), { ...filter, format });

/** Where the log tells of one thing. Null: not theirs to see. What is of no `queue` takes the whole log; `own`: they did it themselves. */
export function useAuditHref(filter: AuditFilter, queue?: string, own = false): string | null {
  const [whole, some] = [useSeesWholeLog(), useMay('audit', queue)];
  return (queue === undefined ? whole : some) || own ? links.audit(filter) : null;
}
