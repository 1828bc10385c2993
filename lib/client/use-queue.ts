'use client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { paths } from '@/lib/contract/api';
import { type Overview, type QueueSnapshot, queueNumbersSchema } from '@/lib/contract/queue';
import { type ApiError, request } from './api';
import { keys } from './keys';
import { type Streamed, useStreamed } from './prefetched';
import { queryDefaults, REFETCH_MS } from './query-options';
import { overviewOptions } from './use-overview';

export interface QueueView {
  /** Null when the overview knows no such queue. */
  queue: QueueSnapshot | null;
  at: number;
  fresh: boolean;
  /** The overview does not list all queues. */
  isCut: boolean;
}

/** One queue: of the overview while that lists it, else asked for by itself. */
export function useQueue(name: string): Streamed<QueueView> {
  const select = useCallback((overview: Overview): QueueView => viewOf(overview, name), [name]);
  const query = useQuery<Overview, ApiError, QueueView>({ ...overviewOptions(useQueryClient()), select });
  const listed = useStreamed(query, keys.overview(), select);
  const isLeftOut = listed.data?.queue === null && listed.data.isCut;
  const alone = useQuery<QueueView, ApiError>({
    ...queryDefaults,
    enabled: isLeftOut,
    queryKey: keys.queueNumbers(name),
    queryFn: async ({ signal }) => ({
      ...(await request(paths.queue(name), { schema: queueNumbersSchema, signal })),
      isCut: true,
    }),
    refetchInterval: REFETCH_MS,
  });
  if (!isLeftOut) return listed;
  // No such queue: as when the overview lists all there are.
  const isGone = alone.error?.status === 404;
  const { data, error, isFetching, refetch } = alone;
  return {
    data: isGone ? listed.data : data,
    error: isGone ? null : error,
    isFetching,
    refetch: () => void refetch(),
  };
}

function viewOf(overview: Overview, name: string): QueueView {
  const queue = overview.queues.find((candidate) => candidate.queue === name) ?? null;
  const isCut = overview.total + overview.unread > overview.queues.length;
  return { queue, at: overview.at, fresh: overview.fresh, isCut };
}
