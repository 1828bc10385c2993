'use client';
/** The audit log, a page at a time. */
import { keepPreviousData } from '@tanstack/react-query';
import { isFullScope } from '@/lib/contract/access/grant-scopes';
import { paths } from '@/lib/contract/api-paths';
import type { AuditFilter } from '@/lib/contract/audit/audit-schemas';
import type { ExportFormat } from '@/lib/contract/operations/operation-kinds';
import { useGrant, useMay } from './access/use-permissions';
import { withQuery } from './api/api-client';
import { useApiQuery } from './api/query-defaults';
import { keys } from './api/query-keys';
import { reply } from './api/reply-schemas';
import { addressOf } from './base-path';
import { links } from './links';

export const AUDIT_PAGE_LIMIT = 50;
const NEWEST_MS = 10_000;
/** Searching thousands of entries may take longer than the usual deadline. */
const AUDIT_DEADLINE_MS = 20_000;

const pathOf = (filter: AuditFilter, cursor: string | null): string =>
  withQuery(paths.audit(), { ...filter, cursor, limit: AUDIT_PAGE_LIMIT });

/** One page, read once a visit: entries must not move while the user reads them. */
export const useAuditPage = (filter: AuditFilter, cursor: string | null) =>
  useApiQuery(keys.auditPage(filter, cursor), pathOf(filter, cursor), reply('auditPageSchema'), {
    deadlineMs: AUDIT_DEADLINE_MS,
    // A return to the log shows its current state: also where the browser comes back to a page that was sent with data.
    gcTime: 0,
    refetchOnWindowFocus: false,
    placeholderData: keepPreviousData,
  });

/** How many entries are newer than entry `n`; `more`: at least that many. */
export function useNewerThan(filter: AuditFilter, n: number | null): { count: number; more: boolean } {
  const { data } = useApiQuery(keys.auditNewest(filter), pathOf(filter, null), reply('auditPageSchema'), {
    deadlineMs: AUDIT_DEADLINE_MS,
    enabled: n !== null,
    refetchInterval: NEWEST_MS,
    staleTime: NEWEST_MS,
    gcTime: 0,
  });
  const count = n === null ? 0 : (data?.events.filter((entry) => entry.n > n).length ?? 0);
  return { count, more: count >= AUDIT_PAGE_LIMIT };
}

export const useAuditCheck = () =>
  useApiQuery(keys.auditCheck(), paths.auditCheck(), reply('auditCheckSchema'), {
    deadlineMs: 60_000,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

/** Whether the user may see the whole log, not only that of some queues or their own actions. */
export const useSeesWholeLog = (): boolean => isFullScope(useGrant('audit'));

/** All matches as a file. */
export const auditFileHref = (filter: AuditFilter, format: ExportFormat): string =>
  addressOf(withQuery(paths.auditFile(), { ...filter, format }));

/** Link to the log of one object; null without the permission. Without a `queue` it takes the whole log; `own`: the user's own action. */
export function useAuditHref(filter: AuditFilter, queue?: string, own = false): string | null {
  const [whole, some] = [useSeesWholeLog(), useMay('audit', queue)];
  return (queue === undefined ? whole : some) || own ? links.audit(filter) : null;
}
