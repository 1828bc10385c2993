/** Requests for the data the stream carries, shared by hooks and polling. */
import { type QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query';
import { paths } from '@/lib/contract/api-paths';
import { type LabState, labStateSchema } from '@/lib/contract/lab/lab-schemas';
import { overviewSchema } from '@/lib/contract/queues/queue-schemas';
import { workersPageSchema } from '@/lib/contract/workers/worker-schemas';
import { ApiError, request } from '../api/api-client';
import { queryDefaults } from '../api/query-defaults';

export const fetchOverview = (signal?: AbortSignal) =>
  request(paths.queues(), { schema: overviewSchema, signal });

export const fetchWorkers = (signal?: AbortSignal) =>
  request(paths.workers(), { schema: workersPageSchema, signal });

/** Null when the lab is off or the user may not see it. */
export async function fetchLab(signal?: AbortSignal): Promise<LabState | null> {
  try {
    return await request(paths.lab(), { schema: labStateSchema, signal });
  } catch (error) {
    if (error instanceof ApiError && (error.code === 'NOT_FOUND' || error.code === 'FORBIDDEN')) return null;
    throw error;
  }
}

/** The stream keeps a snapshot fresh; the request is for the first paint and a silent stream. */
export const snapshotOptions = <T extends { at: number } | null>(
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
      return fetched && cached && cached.at > fetched.at ? cached : fetched;
    },
    staleTime: 5_000,
  });
