'use client';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { paths } from '@/lib/contract/api';
import { type Person, personSchema } from '@/lib/contract/person';
import { type ApiError, request } from './api';
import { keys } from './keys';
import { queryDefaults, useWrite } from './query-options';

/** Who this browser acts as: the name that goes into histories, operations and saved searches. */
export function useMe(): UseQueryResult<Person, ApiError> {
  return useQuery<Person, ApiError>({
    ...queryDefaults,
    queryKey: keys.me(),
    queryFn: ({ signal }) => request(paths.me(), { schema: personSchema, signal }),
    staleTime: 60_000,
  });
}

export function useRename() {
  return useWrite({
    run: (body: { name: string }) => request(paths.me(), { method: 'PUT', body, schema: personSchema }),
    // Another person has other saved searches.
    stale: () => [keys.me(), keys.searches()],
  });
}
