'use client';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
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

export interface HistoryView {
  readonly data: History | undefined;
  readonly error: ApiError | null;
  /** The data are older than what was asked for, which could not be read. */
  readonly isStale: boolean;
}

/**
 * Each minute asks for another stretch of time. While the console cannot be reached, the last stretch stays.
 *
 * @param isEnabled once the first data of the page are here
 */
export function useHistory(
  { from, to, queue = '', type = '', tenant = '' }: HistoryRequest,
  isEnabled: boolean,
): HistoryView {
  const query = { from: String(from), to: String(to), queue, type, tenant };
  const { data, error, isPlaceholderData } = useApiQuery(
    keys.history(query),
    withQuery(paths.history(), query),
    reply('historySchema'),
    {
      enabled: isEnabled,
      refetchInterval: REFETCH_MS,
      placeholderData: keepPreviousData,
    },
  );
  const view = JSON.stringify([queue, type, tenant, to - from]);
  const [last, setLast] = useState<{ view: string; data: History } | null>(null);
  if (data && !isPlaceholderData && last?.data !== data) setLast({ view, data });
  const kept = data === undefined && error !== null && last?.view === view ? last.data : undefined;
  // Until a newer stretch is here: each minute's first try is under way for seconds.
  const [isStale, setStale] = useState(false);
  const isRead = data !== undefined && !isPlaceholderData && error === null;
  if (isStale ? isRead : error !== null) setStale(!isStale);
  return { data: data ?? kept, error, isStale };
}
