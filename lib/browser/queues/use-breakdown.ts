'use client';
import { keepPreviousData } from '@tanstack/react-query';
import { paths } from '@/lib/contract/api-paths';
import { request } from '../api/api-client';
import { queryDefaults, useApiQuery } from '../api/query-defaults';
import { keys } from '../api/query-keys';
import { reply } from '../api/reply-schemas';

/** Each call reads up to a thousand jobs. */
const REFETCH_MS = 5_000;

/** A queue's jobs by tenant, type and priority. `held`: the numbers stand still, as under the pointer. */
export const useBreakdown = (queue: string, { enabled = true, held = false } = {}) =>
  useApiQuery(keys.breakdown(queue), paths.breakdown(queue), reply('queueBreakdownSchema'), {
    enabled,
    refetchInterval: held ? false : REFETCH_MS,
    placeholderData: keepPreviousData,
  });

/** Read once, for `useQueries`. */
export const breakdownOptions = (queue: string) => ({
  ...queryDefaults,
  queryKey: keys.breakdown(queue),
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    request(paths.breakdown(queue), { schema: reply('queueBreakdownSchema'), signal }),
  staleTime: 10_000,
});

/** Read once for each opening of the panel. */
export const useQueueMemory = (queue: string) =>
  useApiQuery(keys.queueMemory(queue), paths.queueMemory(queue), reply('queueMemorySchema'), {
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
