'use client';
import type { UseQueryResult } from '@tanstack/react-query';
import { useQuery } from '@tanstack/react-query';
import { paths } from '@/lib/contract/api';
import type { JobDetail } from '@/lib/contract/job';
import { jobDetailSchema } from '@/lib/contract/job';
import type { JobState } from '@/lib/contract/states';
import type { ApiError } from './api';
import { request } from './api';
import { keys } from './keys';
import { useLiveStatus } from './live';
import { queryDefaults, REFETCH_MS } from './query-options';

const AT_REST: readonly JobState[] = ['completed', 'dead', 'suppressed', 'trashed'];

/** The whole of one job. `error.status` is 404 when it is gone: it is asked for once more on focus, not every 2 s. */
export function useJob(queue: string, id: string): UseQueryResult<JobDetail, ApiError> {
  const offline = useLiveStatus() === 'offline';
  return useQuery<JobDetail, ApiError>({
    ...queryDefaults,
    queryKey: keys.job(queue, id),
    queryFn: ({ signal }) => request(paths.job(queue, id), { schema: jobDetailSchema, signal }),
    refetchInterval: ({ state }) => {
      if (offline || state.error?.status === 404) return false;
      return state.data && AT_REST.includes(state.data.state) ? 5 * REFETCH_MS : REFETCH_MS;
    },
  });
}
