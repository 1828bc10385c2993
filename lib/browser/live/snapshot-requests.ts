/** Requests for the data the stream carries, shared by hooks and polling. */
import { type QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query';
import { paths } from '@/lib/contract/api-paths';
import { FRAME_QUEUES_MAX } from '@/lib/contract/queues/queue-limits';
import { ApiError, request, withQuery } from '../api/api-client';
import { queryDefaults } from '../api/query-defaults';
import { reply } from '../api/reply-schemas';
import { type QueueView, queueView } from './queue-view';

export const fetchOverview = (signal?: AbortSignal) =>
  request(withQuery(paths.queues(), { limit: FRAME_QUEUES_MAX }), {
    schema: reply('overviewSchema'),
    signal,
  });

/** Null: there is no such queue. */
export async function fetchQueue(name: string, signal?: AbortSignal): Promise<QueueView> {
  try {
    const { queue, fresh } = await request(paths.queue(name), {
      schema: reply('queueNumbersSchema'),
      signal,
    });
    return queueView(queue, fresh);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { queue: null, at: null, fresh: true };
    throw error;
  }
}

export const fetchWorkers = (signal?: AbortSignal) =>
  request(paths.workers(), { schema: reply('workersPageSchema'), signal });

/** The stream keeps a snapshot fresh; the request is for the first paint and a silent stream. */
export const snapshotOptions = <T extends { at: number | null } | null>(
  client: QueryClient,
  queryKey: QueryKey,
  fetchSnapshot: (signal: AbortSignal) => Promise<T>,
) =>
  queryOptions<T, ApiError>({
    ...queryDefaults,
    queryKey,
    queryFn: async ({ signal }) => {
      const fetched = await fetchSnapshot(signal);
      // A slow reply must not overwrite newer data of the stream.
      const cached = client.getQueryData<T>(queryKey);
      return fetched && cached && (cached.at ?? 0) > (fetched.at ?? Infinity) ? cached : fetched;
    },
    staleTime: 5_000,
  });
