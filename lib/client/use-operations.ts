'use client';
import type { UseQueryResult } from '@tanstack/react-query';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { PAGE_LIMIT_DEFAULT, paths } from '@/lib/contract/api';
import type {
  OPERATION_OUTCOMES,
  Operation,
  OperationAction,
  OperationChange,
  OperationKind,
  OperationRequest,
  OperationStatus,
  previewRequestSchema,
} from '@/lib/contract/operations';
import {
  isOpen,
  operationJobsSchema,
  operationSchema,
  operationsPageSchema,
  previewSchema,
} from '@/lib/contract/operations';
import type { ApiError } from './api';
import { request, withQuery } from './api';
import { keys, staleAfterOperation } from './keys';
import { useLiveStatus } from './live';
import { type Streamed, useStreamed } from './prefetched';
import { queryDefaults, REFETCH_MS, useWrite } from './query-options';
import type { PageOptions } from './use-jobs';

/** Counting a million matches anew takes some seconds. */
const COUNTING_DEADLINE_MS = 30_000;

export type OperationsPage = z.infer<typeof operationsPageSchema>;
export type OperationJobs = z.infer<typeof operationJobsSchema>;
export type OperationOutcome = (typeof OPERATION_OUTCOMES)[number];
const NONE: readonly Operation[] = [];

/** A page of operations, latest first, with what the stream says of those that run. */
export function useOperations({
  cursor = null,
  limit = PAGE_LIMIT_DEFAULT,
  status = null,
  kind = null,
}: {
  cursor?: string | null;
  limit?: number;
  /** Only those of this status, or of this kind. */
  status?: OperationStatus | null;
  kind?: OperationKind | null;
} = {}): UseQueryResult<OperationsPage, ApiError> {
  const live = useLiveOperations();
  const connection = useLiveStatus();
  const query = useQuery<OperationsPage, ApiError>({
    ...queryDefaults,
    queryKey: keys.operationList(cursor, limit, status, kind),
    queryFn: ({ signal }) =>
      request(withQuery(paths.operations(), { cursor, limit, status, kind }), {
        schema: operationsPageSchema,
        signal,
      }),
    refetchInterval: connection === 'live' ? 5 * REFETCH_MS : connection === 'offline' ? false : REFETCH_MS,
    placeholderData: keepPreviousData,
    select: (page) => ({ ...page, operations: page.operations.map((known) => fresher(known, live)) }),
  });
  return query;
}

/**
 * One operation; while it is open, the stream renews it every second. What became of the jobs it put back goes on after it
 * ended, so an ended one is read again, too, as long as some of them still run or wait.
 */
export function useOperation(id: string): Streamed<Operation> {
  const status = useLiveStatus();
  const query = useQuery<Operation, ApiError>({
    ...queryDefaults,
    queryKey: keys.operation(id),
    queryFn: ({ signal }) => request(paths.operation(id), { schema: operationSchema, signal }),
    refetchInterval: ({ state }) => {
      if (status === 'offline' || state.error?.status === 404 || !state.data) return false;
      if (isOpen(state.data.status)) return status === 'live' ? 5 * REFETCH_MS : REFETCH_MS;
      return isUnsettled(state.data) ? 5 * REFETCH_MS : false;
    },
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

/**
 * Counts what an operation would do, and does nothing. A newer question (another scope, another kind) is another call; the
 * answer's token is what `useStartOperation` confirms.
 */
export function usePreview() {
  return useWrite({
    run: (body: z.input<typeof previewRequestSchema>) =>
      request(paths.operationPreview(), {
        method: 'POST',
        body,
        schema: previewSchema,
        deadlineMs: COUNTING_DEADLINE_MS,
      }),
    stale: () => [],
  });
}

/** Confirms a preview; it answers as soon as the operation is recorded. 409 PREVIEW_STALE: its fields say what changed. */
export function useStartOperation() {
  return useWrite({
    run: (body: OperationRequest, idempotencyKey) =>
      request(paths.operations(), {
        method: 'POST',
        body,
        schema: operationSchema,
        idempotencyKey,
        deadlineMs: COUNTING_DEADLINE_MS,
      }),
    stale: () => staleAfterOperation(),
  });
}

/** Sets its pace or its automatic stop while it runs. */
export function useChangeOperation() {
  return useWrite({
    run: ({ id, change }: { id: string; change: OperationChange }, idempotencyKey) =>
      request(paths.operation(id), {
        method: 'PATCH',
        body: change,
        schema: operationSchema,
        idempotencyKey,
      }),
    stale: ({ id }) => [keys.operationLists(), keys.operation(id)],
  });
}

/** Pauses, resumes, cancels, approves or rejects it. */
export function useOperationAction() {
  return useWrite({
    run: ({ id, action, reason }: { id: string; action: OperationAction; reason?: string }, idempotencyKey) =>
      request(paths.operationAction(id, action), {
        method: 'POST',
        body: { reason },
        schema: operationSchema,
        idempotencyKey,
      }),
    stale: ({ id }) => staleAfterOperation(id),
  });
}

/** Starts the operation that undoes this one, or of it what also matches `q`. Answers with the new operation. */
export function useUndoOperation() {
  return useWrite({
    run: ({ id, reason, q }: { id: string; reason: string; q?: string }, idempotencyKey) =>
      request(paths.operationAction(id, 'undo'), {
        method: 'POST',
        body: { reason, q },
        schema: operationSchema,
        idempotencyKey,
        deadlineMs: COUNTING_DEADLINE_MS,
      }),
    stale: ({ id }) => staleAfterOperation(id),
  });
}

/** The jobs behind one number of the outcome. */
export function useOperationJobs(
  id: string,
  outcome: OperationOutcome,
  { cursor = null, limit = PAGE_LIMIT_DEFAULT, paused = false }: PageOptions = {},
): UseQueryResult<OperationJobs, ApiError> {
  const offline = useLiveStatus() === 'offline';
  return useQuery<OperationJobs, ApiError>({
    ...queryDefaults,
    queryKey: keys.operationJobs(id, outcome, cursor, limit),
    queryFn: ({ signal }) =>
      request(withQuery(paths.operationJobs(id), { outcome, cursor, limit }), {
        schema: operationJobsSchema,
        signal,
      }),
    refetchInterval: paused || offline ? false : 5 * REFETCH_MS,
    // Turning a page keeps the old one in place; another outcome starts empty.
    placeholderData: (previous, previousQuery) => {
      const [, , previousId, previousOutcome] = previousQuery?.queryKey ?? [];
      return previousId === id && previousOutcome === outcome ? previous : undefined;
    },
  });
}

/** Some of what it put back has not ended yet: its outcome still changes. */
export const isUnsettled = ({ outcome }: Operation): boolean =>
  outcome !== null && outcome.running + outcome.waiting > 0;

/** Counts only grow, so the words about an operation that moved further, or ended, are the newer ones. */
function fresher(known: Operation, live: readonly Operation[]): Operation {
  const streamed = live.find((candidate) => candidate.id === known.id);
  if (!streamed || !isOpen(known.status)) return known;
  return !isOpen(streamed.status) || streamed.scanned >= known.scanned ? streamed : known;
}
