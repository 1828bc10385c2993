'use client';
import { keepPreviousData, type UseQueryResult } from '@tanstack/react-query';
import { paths } from '@/lib/contract/api-paths';
import type { History } from '@/lib/contract/history/history-schemas';
import { type ApiError, withQuery } from './api/api-client';
import { useApiQuery } from './api/query-defaults';
import { keys } from './api/query-keys';
import { reply } from './api/reply-schemas';

/** A minute is in the history some seconds after its end. */
const REFETCH_MS = 10_000;

export interface HistoryRequest {
  /** Ms since 1970. */
  readonly from: number;
  readonly to: number;
  readonly queue?: string | undefined;
  readonly type?: string | undefined;
  readonly tenant?: string | undefined;
}

/** @param isEnabled once the first data of the page are here */
export function useHistory(
  { from, to, queue = '', type = '', tenant = '' }: HistoryRequest,
  isEnabled: boolean,
): UseQueryResult<History, ApiError> {
  const query = { from: String(from), to: String(to), queue, type, tenant };
  return useApiQuery(keys.history(query), withQuery(paths.history(), query), reply('historySchema'), {
    enabled: isEnabled,
    refetchInterval: REFETCH_MS,
    placeholderData: keepPreviousData,
  });
}
