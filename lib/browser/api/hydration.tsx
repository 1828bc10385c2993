'use client';
/**
 * Data the server rendered with. React hydrates a page in parts, and the stream may bring newer data before
 * the last part, which must still render the server's data first.
 */
import {
  type DehydratedState,
  HydrationBoundary,
  hashKey,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useMemo, useSyncExternalStore } from 'react';
import type { ApiError } from './api-client';

const PrefetchedContext = createContext<DehydratedState | null>(null);

/** Around a page, or a part with more: `state` is `dehydrate(client)` of what the server read. */
export function Prefetched({ state, children }: { state: DehydratedState; children: ReactNode }) {
  const outer = useContext(PrefetchedContext);
  const all = useMemo(
    () => (outer === null ? state : { ...state, queries: [...outer.queries, ...state.queries] }),
    [outer, state],
  );
  return (
    <PrefetchedContext value={all}>
      <HydrationBoundary state={state}>{children}</HydrationBoundary>
    </PrefetchedContext>
  );
}

/** The state of a query that the stream keeps fresh. */
export interface Streamed<T> {
  data: T | undefined;
  error: ApiError | null;
  isFetching: boolean;
  refetch: () => void;
}

/** The query's data or, while this part of the page hydrates, the server's. */
export function useStreamed<T>(query: UseQueryResult<T, ApiError>, queryKey: QueryKey): Streamed<T> {
  const hydrating = useHydrating();
  const prefetched = usePrefetched<T>(queryKey);
  if (hydrating) {
    return { data: prefetched, error: null, isFetching: true, refetch: () => undefined };
  }
  const { data, error, isFetching, refetch } = query;
  return { data, error, isFetching, refetch: () => void refetch() };
}

/**
 * A part of a query's data; renders only when that part changes.
 *
 * @param select keep its identity stable
 */
export function useStreamedPart<T, Part>(
  options: UseQueryOptions<T, ApiError> & { queryKey: QueryKey },
  select: (data: T) => Part,
): Streamed<Part> {
  const query = useStreamed<T | Part>(
    useQuery<T, ApiError, Part>({ ...options, select } as UseQueryOptions<T, ApiError, Part>),
    options.queryKey,
  );
  const data = useHydrating() && query.data !== undefined ? select(query.data as T) : (query.data as Part);
  return { ...query, data };
}

/** The server's data under this key, if any. */
export function usePrefetched<T>(queryKey: QueryKey): T | undefined {
  return usePrefetchedAll<T>([queryKey])[0];
}

export function usePrefetchedAll<T>(queryKeys: readonly QueryKey[]): (T | undefined)[] {
  const state = useContext(PrefetchedContext);
  return queryKeys.map((queryKey) => {
    const hash = hashKey(queryKey);
    return state?.queries.find((query) => query.queryHash === hash)?.state.data as T | undefined;
  });
}

/** Whether these are the rows sent in the HTML, perhaps the first of the page only: the others come at once, below them. */
export const isFirstPart = ({
  data,
  dataUpdatedAt,
  isPlaceholderData,
}: Pick<UseQueryResult, 'data' | 'dataUpdatedAt' | 'isPlaceholderData'>): boolean =>
  data !== undefined && dataUpdatedAt === 0 && !isPlaceholderData;

const never = () => () => undefined;

/** Whether this part of the page hydrates and must render what the server did. */
export function useHydrating(): boolean {
  return useSyncExternalStore(
    never,
    () => false,
    () => true,
  );
}
