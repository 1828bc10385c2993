'use client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { WorkersPage } from '@/lib/contract/workers';
import type { ApiError } from './api';
import { fetchWorkers } from './fetchers';
import { keys } from './keys';
import { type Streamed, useStreamed } from './prefetched';
import { newest, queryDefaults } from './query-options';

/** Live workers and those that ended; the stream keeps it fresh. */
export function useWorkers(): Streamed<WorkersPage> {
  const client = useQueryClient();
  const query = useQuery<WorkersPage, ApiError>({
    ...queryDefaults,
    queryKey: keys.workers(),
    queryFn: async ({ signal }) =>
      newest(client.getQueryData<WorkersPage>(keys.workers()), await fetchWorkers(signal)),
    staleTime: 5_000,
  });
  return useStreamed(query, keys.workers(), (page: WorkersPage) => page);
}
