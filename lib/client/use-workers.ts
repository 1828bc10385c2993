'use client';
import type { UseQueryResult } from '@tanstack/react-query';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { WorkersPage } from '@/lib/contract/workers';
import type { ApiError } from './api';
import { fetchWorkers } from './fetchers';
import { keys } from './keys';
import { newest, queryDefaults } from './query-options';

/** Live workers and those that ended; the stream keeps it fresh. */
export function useWorkers(): UseQueryResult<WorkersPage, ApiError> {
  const client = useQueryClient();
  return useQuery<WorkersPage, ApiError>({
    ...queryDefaults,
    queryKey: keys.workers(),
    queryFn: async ({ signal }) =>
      newest(client.getQueryData<WorkersPage>(keys.workers()), await fetchWorkers(signal)),
    staleTime: 5_000,
  });
}
