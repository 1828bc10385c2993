'use client';
import type { UseQueryResult } from '@tanstack/react-query';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { PAGE_LIMIT_DEFAULT, paths } from '@/lib/contract/api';
import type { DeadFacets, DeadFilter, DeadPage } from '@/lib/contract/dead';
import { deadFacetsSchema, deadPageSchema } from '@/lib/contract/dead';
import type { ApiError } from './api';
import { request, withQuery } from './api';
import { keys } from './keys';
import { useLiveStatus } from './live';
import { queryDefaults, REFETCH_MS } from './query-options';
import type { JobsOptions } from './use-jobs';

const FACETS_REFETCH_MS = 5_000;

/** A page of the dead jobs that match, over every queue. */
export function useDeadPage(
  filter: DeadFilter,
  { cursor = null, limit = PAGE_LIMIT_DEFAULT, paused = false }: JobsOptions = {},
): UseQueryResult<DeadPage, ApiError> {
  const offline = useLiveStatus() === 'offline';
  return useQuery<DeadPage, ApiError>({
    ...queryDefaults,
    queryKey: keys.deadPage(filter, cursor, limit),
    queryFn: ({ signal }) =>
      request(withQuery(paths.dead(), { ...filter, cursor, limit }), { schema: deadPageSchema, signal }),
    refetchInterval: paused || offline ? false : REFETCH_MS,
    refetchOnWindowFocus: !paused,
    placeholderData: keepPreviousData,
  });
}

/** How the dead jobs that match spread over queues, types, tenants, codes and classes. */
export function useDeadFacets(
  filter: DeadFilter,
  { paused = false }: { paused?: boolean } = {},
): UseQueryResult<DeadFacets, ApiError> {
  const offline = useLiveStatus() === 'offline';
  return useQuery<DeadFacets, ApiError>({
    ...queryDefaults,
    queryKey: keys.deadFacets(filter),
    queryFn: ({ signal }) =>
      request(withQuery(paths.deadFacets(), { ...filter }), { schema: deadFacetsSchema, signal }),
    refetchInterval: paused || offline ? false : FACETS_REFETCH_MS,
    refetchOnWindowFocus: !paused,
    placeholderData: keepPreviousData,
  });
}
