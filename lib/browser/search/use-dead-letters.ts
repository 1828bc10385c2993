'use client';
import { keepPreviousData } from '@tanstack/react-query';
import { PAGE_LIMIT_DEFAULT, paths } from '@/lib/contract/api-paths';
import type { GroupChange } from '@/lib/contract/search/search-schemas';
import { type ApiError, withQuery } from '../api/api-client';
import { REFETCH_MS, useApiQuery, useWrite } from '../api/query-defaults';
import { keys } from '../api/query-keys';
import { reply } from '../api/reply-schemas';
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
    reply('searchPageSchema'),
    useRhythm(REFETCH_MS, paused),
  );

/** The first page as it is now, for the number of new rows while the list stands still. */
export const useNewestSearch = (q: string) =>
  useApiQuery(
    keys.searchNewest(q),
    withQuery(paths.dead(), { q, limit: PAGE_LIMIT_DEFAULT }),
    reply('searchPageSchema'),
    useRhythm(REFETCH_MS, false),
  );

/** Counts of the matching dead letters by each field. @param withGroups of the page of groups, which `useGroupsWithFacets` reads */
export function useFacets(q: string, withGroups: boolean) {
  const rhythm = useRhythm(FACETS_REFETCH_MS, false);
  const alone = useApiQuery(keys.facets(q), withQuery(paths.deadFacets(), { q }), reply('facetsSchema'), {
    ...rhythm,
    enabled: !withGroups,
  });
  const ofGroups = useApiQuery(...groupsWithFacets(q), {
    ...rhythm,
    enabled: withGroups,
    refetchInterval: false,
    select: ({ facets }) => facets,
  });
  return withGroups ? ofGroups : alone;
}

/** Failure groups of the matching dead letters, the most and newest deaths first. */
export const useGroups = (q: string) =>
  useApiQuery(
    keys.groups(q),
    withQuery(paths.deadGroups(), { q }),
    reply('groupsPageSchema'),
    useRhythm(FACETS_REFETCH_MS, false),
  );

/** The same with the facets, in one request. */
export const useGroupsWithFacets = (q: string) =>
  useApiQuery(...groupsWithFacets(q), useRhythm(FACETS_REFETCH_MS, false));

const groupsWithFacets = (q: string) =>
  [
    keys.groupsWithFacets(q),
    withQuery(paths.deadGroups(), { q, facets: '1' }),
    reply('groupsPageSchema'),
  ] as const;

/** One failure group. `error.status` is 404 when there is none. */
export function useGroup(group: string) {
  const offline = useLiveStatus() === 'offline';
  return useApiQuery(keys.group(group), paths.deadGroup(group), reply('groupSchema'), {
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
    schema: reply('groupSchema'),
    stale: () => [keys.dead()],
  });
