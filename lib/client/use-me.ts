'use client';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type Me, meSchema } from '@/lib/contract/access';
import { paths } from '@/lib/contract/api';
import { personSchema } from '@/lib/contract/person';
import { type ApiError, request } from './api';
import { keys } from './keys';
import { queryDefaults, REFETCH_MS, useWrite } from './query-options';

/** Who this browser acts as, how they came in, and what they may do. Every page is rendered with it. */
export function useMe(): UseQueryResult<Me, ApiError> {
  return useQuery<Me, ApiError>({
    ...queryDefaults,
    queryKey: keys.me(),
    queryFn: ({ signal }) => request(paths.me(), { schema: meSchema, signal }),
    staleTime: 60_000,
    // A page rendered while Redis was away does not know who looks at it: it finds out as soon as it can.
    refetchInterval: ({ state }) => (state.data ? false : REFETCH_MS),
    // Rights given or taken meanwhile show when one comes back to the page. The server counts them at once.
    refetchOnWindowFocus: true,
  });
}

/** AUTH=none only: nobody is asked who they are, so they may say it. */
export function useRename() {
  return useWrite({
    run: (body: { name: string }) => request(paths.me(), { method: 'PUT', body, schema: personSchema }),
    // Another person has other saved searches.
    stale: () => [keys.me(), keys.searches()],
  });
}
