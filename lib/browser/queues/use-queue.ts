'use client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { paths } from '@/lib/contract/api-paths';
import { type Overview, type QueueSnapshot, queueNumbersSchema } from '@/lib/contract/queues/queue-schemas';
import { type ApiError, request } from '../api/api-client';
import { type Streamed, useStreamed } from '../api/hydration';
import { queryDefaults, REFETCH_MS } from '../api/query-defaults';
import { keys } from '../api/query-keys';
import { overviewOptions } from '../live/use-overview';

export interface QueueView {
  /** Null when there is no such queue. */
  queue: QueueSnapshot | null;
  at: number;
  fresh: boolean;
  /** The overview does not list all queues. */
  isCut: boolean;
}

/** One queue, from the overview where it is listed, else read on its own. */
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
  // No such queue, as when a complete overview lacks it.
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
