'use client';
/**
 * Data the server rendered with. React takes over a page piece by piece, and the stream may bring newer data before
 * the last piece: that piece must first render what the server did, and only then what is new.
 */
import type { DehydratedState, QueryKey, UseQueryResult } from '@tanstack/react-query';
import { HydrationBoundary, hashKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { ApiError } from './api';

const PrefetchedContext = createContext<DehydratedState | null>(null);

/** Around a page: `state` is `dehydrate(client)` of what the server read. */
export function Prefetched({ state, children }: { state: DehydratedState; children: ReactNode }) {
  return (
    <PrefetchedContext value={state}>
      <HydrationBoundary state={state}>{children}</HydrationBoundary>
    </PrefetchedContext>
  );
}

/** What a page needs of a query that the stream keeps fresh. */
export interface Streamed<T> {
  data: T | undefined;
  error: ApiError | null;
  isFetching: boolean;
  refetch: () => void;
}

/** The query's data, except while this piece of the page hydrates: then what the server had. */
export function useStreamed<T, Raw = T>(
  query: UseQueryResult<T, ApiError>,
  queryKey: QueryKey,
  select: (raw: Raw) => T,
): Streamed<T> {
  const hydrating = useHydrating();
  const prefetched = usePrefetched<Raw>(queryKey);
  if (hydrating) {
    const data = prefetched === undefined ? undefined : select(prefetched);
    return { data, error: null, isFetching: true, refetch: () => undefined };
  }
  const { data, error, isFetching, refetch } = query;
  return { data, error, isFetching, refetch: () => void refetch() };
}

/** What the server read under this key; undefined when it did not. */
export function usePrefetched<T>(queryKey: QueryKey): T | undefined {
  const state = useContext(PrefetchedContext);
  const hash = hashKey(queryKey);
  return state?.queries.find((query) => query.queryHash === hash)?.state.data as T | undefined;
}

const never = () => () => undefined;

/** True while this piece of the page takes over what the server rendered: it must then render the same. */
export function useHydrating(): boolean {
  return useSyncExternalStore(
    never,
    () => false,
    () => true,
  );
}
