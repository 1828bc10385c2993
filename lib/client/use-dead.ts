'use client';
import type { UseQueryResult } from '@tanstack/react-query';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { PAGE_LIMIT_DEFAULT, paths } from '@/lib/contract/api';
import type { Facets, Group, GroupChange, GroupsPage, SearchPage } from '@/lib/contract/dead';
import { facetsSchema, groupSchema, groupsPageSchema, searchPageSchema } from '@/lib/contract/dead';
import type { ApiError } from './api';
import { request, withQuery } from './api';
import { keys } from './keys';
import { useLiveStatus } from './live';
import { queryDefaults, REFETCH_MS, useWrite } from './query-options';
import type { PageOptions } from './use-jobs';

const FACETS_REFETCH_MS = 5_000;

/** Freezes what is shown: nothing moves under the hand that selects. Own changes still show. */
interface Freezable {
  paused?: boolean;
}

/** Whether, and how often, it is read again. A refused query stays refused however often it is asked. */
function useRhythm(everyMs: number, paused: boolean) {
  const offline = useLiveStatus() === 'offline';
  return {
    refetchInterval: ({ state }: { state: { error: ApiError | null } }): number | false =>
      paused || offline || state.error?.status === 400 ? false : everyMs,
    refetchOnWindowFocus: !paused,
    placeholderData: keepPreviousData,
  };
}

/** A page of the dead letters that match a query, over every queue. */
export function useSearch(
  q: string,
  { cursor = null, limit = PAGE_LIMIT_DEFAULT, paused = false }: PageOptions = {},
): UseQueryResult<SearchPage, ApiError> {
  return useQuery<SearchPage, ApiError>({
    ...queryDefaults,
    ...useRhythm(REFETCH_MS, paused),
    queryKey: keys.search(q, cursor, limit),
    queryFn: ({ signal }) =>
      request(withQuery(paths.dead(), { q, cursor, limit }), { schema: searchPageSchema, signal }),
  });
}

/** How the dead letters that match spread over queues, types, tenants, codes, classes, ages and attempts. */
export function useFacets(q: string, { paused = false }: Freezable = {}): UseQueryResult<Facets, ApiError> {
  return useQuery<Facets, ApiError>({
    ...queryDefaults,
    ...useRhythm(FACETS_REFETCH_MS, paused),
    queryKey: keys.facets(q),
    queryFn: ({ signal }) => request(withQuery(paths.deadFacets(), { q }), { schema: facetsSchema, signal }),
  });
}

/** What is failing: the failure groups of the dead letters that match, most and newest first. */
export function useGroups(
  q: string,
  { paused = false }: Freezable = {},
): UseQueryResult<GroupsPage, ApiError> {
  return useQuery<GroupsPage, ApiError>({
    ...queryDefaults,
    ...useRhythm(FACETS_REFETCH_MS, paused),
    queryKey: keys.groups(q),
    queryFn: ({ signal }) =>
      request(withQuery(paths.deadGroups(), { q }), { schema: groupsPageSchema, signal }),
  });
}

/** One failure group. `error.status` is 404 when there is none. */
export function useGroup(group: string): UseQueryResult<Group, ApiError> {
  const offline = useLiveStatus() === 'offline';
  return useQuery<Group, ApiError>({
    ...queryDefaults,
    queryKey: keys.group(group),
    queryFn: ({ signal }) => request(paths.deadGroup(group), { schema: groupSchema, signal }),
    refetchInterval: ({ state }) => (offline || state.error?.status === 404 ? false : FACETS_REFETCH_MS),
  });
}

/** Renames, annotates, resolves, mutes or reopens a failure group. */
export function useChangeGroup() {
  return useWrite({
    run: ({ group, change }: { group: string; change: GroupChange }, idempotencyKey) =>
      request(paths.deadGroup(group), { method: 'PATCH', body: change, schema: groupSchema, idempotencyKey }),
    stale: () => [keys.dead()],
  });
}
