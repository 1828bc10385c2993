'use client';
import type { UseQueryResult } from '@tanstack/react-query';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { PAGE_LIMIT_DEFAULT, paths } from '@/lib/contract/api';
import type { Operation, OperationRequest } from '@/lib/contract/operations';
import { operationSchema, operationsPageSchema } from '@/lib/contract/operations';
import type { ApiError } from './api';
import { request, withQuery } from './api';
import { keys } from './keys';
import { useLiveStatus } from './live';
import { type Streamed, useStreamed } from './prefetched';
import { queryDefaults, REFETCH_MS, useWrite } from './query-options';

export type OperationsPage = z.infer<typeof operationsPageSchema>;
const NONE: readonly Operation[] = [];

/** A page of operations, latest first, with what the stream says of those that run. */
export function useOperations({
  cursor = null,
  limit = PAGE_LIMIT_DEFAULT,
}: {
  cursor?: string | null;
  limit?: number;
} = {}): UseQueryResult<OperationsPage, ApiError> {
  const live = useLiveOperations();
  const status = useLiveStatus();
  const query = useQuery<OperationsPage, ApiError>({
    ...queryDefaults,
    queryKey: keys.operationList(cursor, limit),
    queryFn: ({ signal }) =>
      request(withQuery(paths.operations(), { cursor, limit }), { schema: operationsPageSchema, signal }),
    refetchInterval: status === 'live' ? 5 * REFETCH_MS : status === 'offline' ? false : REFETCH_MS,
    placeholderData: keepPreviousData,
    select: (page) => ({ ...page, operations: page.operations.map((known) => fresher(known, live)) }),
  });
  return query;
}

/** One operation; while it runs, the stream renews it every second. */
export function useOperation(id: string): Streamed<Operation> {
  const status = useLiveStatus();
  const query = useQuery<Operation, ApiError>({
    ...queryDefaults,
    queryKey: keys.operation(id),
    queryFn: ({ signal }) => request(paths.operation(id), { schema: operationSchema, signal }),
    refetchInterval: ({ state }) =>
      status === 'live' || status === 'offline' || state.data?.status !== 'running' ? false : REFETCH_MS,
  });
  // The stream may know the operation before the page has taken over.
  return useStreamed(query, keys.operation(id), (operation: Operation) => operation);
}

/** Operations that run now or ended in the last minute, from the stream. */
export function useLiveOperations(): readonly Operation[] {
  const query = useQuery<readonly Operation[], ApiError>({
    queryKey: keys.operationsLive(),
    queryFn: () => NONE,
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    useStreamed(query, keys.operationsLive(), (operations: readonly Operation[]) => operations).data ?? NONE
  );
}

/** Starts a bulk action; it answers as soon as the operation is recorded. */
export function useStartOperation() {
  return useWrite({
    run: (body: OperationRequest, idempotencyKey) =>
      request(paths.operations(), { method: 'POST', body, schema: operationSchema, idempotencyKey }),
    stale: () => [keys.operationLists(), keys.dead(), keys.overview()],
  });
}

export function useCancelOperation() {
  return useWrite({
    run: ({ id, reason }: { id: string; reason?: string }, idempotencyKey) =>
      request(paths.operationCancel(id), {
        method: 'POST',
        body: { reason },
        schema: operationSchema,
        idempotencyKey,
      }),
    stale: ({ id }) => [keys.operationLists(), keys.operation(id), keys.dead(), keys.overview()],
  });
}

/** Counts only grow, so the words about an operation that moved further, or ended, are the newer ones. */
function fresher(known: Operation, live: readonly Operation[]): Operation {
  const streamed = live.find((candidate) => candidate.id === known.id);
  if (!streamed || known.status !== 'running') return known;
  return streamed.status !== 'running' || streamed.scanned >= known.scanned ? streamed : known;
}
