'use client';
import type { QueryClient } from '@tanstack/react-query';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Overview } from '@/lib/contract/queue';
import type { ApiError } from './api';
import { fetchOverview } from './fetchers';
import { keys } from './keys';
import { type Streamed, useStreamed } from './prefetched';
import { newest, queryDefaults } from './query-options';

/** The stream keeps the cache fresh; the fetch is for the first paint and for a silent stream. */
export const overviewOptions = (client: QueryClient) =>
  queryOptions<Overview, ApiError>({
    ...queryDefaults,
    queryKey: keys.overview(),
    queryFn: async ({ signal }) => {
      const fetched = await fetchOverview(signal);
      return newest(client.getQueryData<Overview>(keys.overview()), fetched);
    },
    staleTime: 5_000,
  });

export function useOverview(): Streamed<Overview> {
  const query = useQuery(overviewOptions(useQueryClient()));
  return useStreamed(query, keys.overview(), (overview: Overview) => overview);
}
