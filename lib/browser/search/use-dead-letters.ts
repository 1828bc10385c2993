'use client';
import { keepPreviousData } from '@tanstack/react-query';
import { PAGE_LIMIT_DEFAULT, paths } from '@/lib/contract/api-paths';
import {
  facetsSchema,
  type GroupChange,
  groupSchema,
  groupsPageSchema,
  searchPageSchema,
} from '@/lib/contract/search/search-schemas';
import { type ApiError, withQuery } from '../api/api-client';
import { REFETCH_MS, useApiQuery, useWrite } from '../api/query-defaults';
import { keys } from '../api/query-keys';
import type { PageOptions } from '../jobs/use-jobs';
import { useLiveStatus } from '../live/live-provider';

const FACETS_REFETCH_MS = 5_000;

/** The refresh interval; a query that was refused once is not read again. */
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
export const useSearch = (q: string, { cursor = null, paused = false }: PageOptions = {}) =>
  useApiQuery(
    keys.search(q, cursor),
    withQuery(paths.dead(), { q, cursor, limit: PAGE_LIMIT_DEFAULT }),
    searchPageSchema,
    useRhythm(REFETCH_MS, paused),
  );

/** Counts of the matching dead letters by each field. */
export const useFacets = (q: string) =>
  useApiQuery(
    keys.facets(q),
    withQuery(paths.deadFacets(), { q }),
    facetsSchema,
    useRhythm(FACETS_REFETCH_MS, false),
  );

/** Failure groups of the matching dead letters, the most and newest deaths first. */
export const useGroups = (q: string, { paused = false }: Pick<PageOptions, 'paused'> = {}) =>
  useApiQuery(
    keys.groups(q),
    withQuery(paths.deadGroups(), { q }),
    groupsPageSchema,
    useRhythm(FACETS_REFETCH_MS, paused),
  );

/** One failure group. `error.status` is 404 when there is none. */
export function useGroup(group: string) {
  const offline = useLiveStatus() === 'offline';
  return useApiQuery(keys.group(group), paths.deadGroup(group), groupSchema, {
    refetchInterval: ({ state }) => (offline || state.error?.status === 404 ? false : FACETS_REFETCH_MS),
  });
}

/** Renames, annotates, resolves, mutes or reopens a failure group. */
export const useChangeGroup = () =>
  useWrite({
    send: ({ group, change }: { group: string; change: GroupChange }) => ({
      method: 'PATCH',
      path: paths.deadGroup(group),
      body: change,
    }),
    schema: groupSchema,
    stale: () => [keys.dead()],
  });
