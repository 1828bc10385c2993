'use client';
import type { UseQueryResult } from '@tanstack/react-query';
import { useQuery } from '@tanstack/react-query';
import { PAGE_LIMIT_DEFAULT, paths } from '@/lib/contract/api';
import type { JobPage } from '@/lib/contract/job';
import { jobPageSchema } from '@/lib/contract/job';
import type { JobState } from '@/lib/contract/states';
import type { ApiError } from './api';
import { request, withQuery } from './api';
import { keys } from './keys';
import { useLiveStatus } from './live';
import { queryDefaults, REFETCH_MS } from './query-options';

export interface PageOptions {
  cursor?: string | null;
  limit?: number;
  /** Freezes the list: nothing moves under the hand that selects. Own changes still show. */
  paused?: boolean;
}
export interface JobsOptions extends PageOptions {
  /** Only what matches; see docs/search.md. */
  q?: string;
}

/** A page of the jobs in one state, read again every two seconds while the console answers. */
export function useJobs(
  queue: string,
  state: JobState,
  { q = '', cursor = null, limit = PAGE_LIMIT_DEFAULT, paused = false }: JobsOptions = {},
): UseQueryResult<JobPage, ApiError> {
  const offline = useLiveStatus() === 'offline';
  return useQuery<JobPage, ApiError>({
    ...queryDefaults,
    queryKey: keys.jobs(queue, state, q, cursor, limit),
    queryFn: ({ signal }) =>
      request(withQuery(paths.jobs(queue), { state, q, cursor, limit }), { schema: jobPageSchema, signal }),
    refetchInterval: ({ state: read }) =>
      paused || offline || read.error?.status === 400 ? false : REFETCH_MS,
    refetchOnWindowFocus: !paused,
    // Turning a page keeps the old one in place; another tab or queue starts empty.
    placeholderData: (previous, previousQuery) => {
      const [, previousQueue, previousState] = previousQuery?.queryKey ?? [];
      return previousQueue === queue && previousState === state ? previous : undefined;
    },
  });
}
