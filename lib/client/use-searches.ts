'use client';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { paths, removedSchema } from '@/lib/contract/api';
import {
  type SavedSearch,
  savedSearchesSchema,
  type savedSearchInputSchema,
  savedSearchSchema,
} from '@/lib/contract/dead';
import { type ApiError, request } from './api';
import { keys } from './keys';
import { queryDefaults, useWrite } from './query-options';

const stale = () => [keys.searches()];

/** Saved searches of this person, and everybody's shared ones, by name. */
export function useSavedSearches(): UseQueryResult<readonly SavedSearch[], ApiError> {
  return useQuery<z.output<typeof savedSearchesSchema>, ApiError, readonly SavedSearch[]>({
    ...queryDefaults,
    queryKey: keys.searches(),
    queryFn: ({ signal }) => request(paths.searches(), { schema: savedSearchesSchema, signal }),
    select: ({ searches }) => searches,
    staleTime: 10_000,
  });
}

/** Saving again under a name that this person used replaces what it stood for. */
export function useSaveSearch() {
  return useWrite({
    run: (body: z.input<typeof savedSearchInputSchema>, idempotencyKey) =>
      request(paths.searches(), { method: 'POST', body, schema: savedSearchSchema, idempotencyKey }),
    stale,
  });
}

export function useRemoveSearch() {
  return useWrite({
    run: ({ id }: { id: string }, idempotencyKey) =>
      request(paths.search(id), { method: 'DELETE', schema: removedSchema, idempotencyKey }),
    stale,
  });
}
