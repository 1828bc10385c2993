'use client';
import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { PAGE_LIMIT_DEFAULT, paths } from '@/lib/contract/api-paths';
import type { Operation } from '@/lib/contract/operations/operation';
import {
  isOpen,
  type OPERATION_OUTCOMES,
  type OperationAction,
  type OperationKind,
  type OperationStatus,
} from '@/lib/contract/operations/operation-kinds';
import type {
  OperationChange,
  OperationRequest,
  previewRequestSchema,
} from '@/lib/contract/operations/operation-request';
import { withQuery } from './api/api-client';
import { type Streamed, useStreamed } from './api/hydration';
import { REFETCH_MS, useApiQuery, useWrite } from './api/query-defaults';
import { keys, staleAfterOperation } from './api/query-keys';
import { reply } from './api/reply-schemas';
import { useLiveStatus } from './live/live-provider';
import { mergeOperations } from './live/merge-operations';
import { useLiveOperations } from './use-live-operations';

/** Counting a million matches takes some seconds. */
const COUNTING_DEADLINE_MS = 30_000;

const NONE: readonly Operation[] = [];

/** A page of operations, latest first; running ones are updated by the stream. */
export function useOperations({
  cursor,
  status,
  kind,
  q = '',
}: {
  cursor: string | null;
  /** Null: any. */
  status: OperationStatus | null;
  kind: OperationKind | null;
  /** Part of the id, the reason or the user's name. */
  q?: string;
}) {
  const live = useLiveOperations();
  const connection = useLiveStatus();
  return useApiQuery(
    keys.operationList(cursor, status, kind, q),
    withQuery(paths.operations(), { cursor, limit: PAGE_LIMIT_DEFAULT, status, kind, q: q || null }),
    reply('operationsPageSchema'),
    {
      refetchInterval: connection === 'live' ? 5 * REFETCH_MS : connection === 'offline' ? false : REFETCH_MS,
      placeholderData: keepPreviousData,
      select: (page) => ({ ...page, operations: page.operations.map((known) => fresher(known, live)) }),
    },
  );
}

/**
 * One operation; while it is open, the stream updates it every second. Its outcome still changes after it
 * ended, so it is read again as long as some of its jobs run or wait.
 */
export function useOperation(id: string): Streamed<Operation> {
  const status = useLiveStatus();
  const query = useApiQuery(keys.operation(id), paths.operation(id), reply('operationSchema'), {
    refetchInterval: ({ state }) => {
      if (status === 'offline' || state.error?.status === 404 || !state.data) return false;
      if (isOpen(state.data.status)) return status === 'live' ? 5 * REFETCH_MS : REFETCH_MS;
      return isUnsettled(state.data) ? 5 * REFETCH_MS : false;
    },
  });
  // The stream may bring the operation before the page is hydrated.
  return useStreamed(query, keys.operation(id));
}

/** Counts what an operation would do and changes nothing. `useStartOperation` confirms the reply's token. */
export const usePreview = () =>
  useWrite({
    send: (body: z.input<typeof previewRequestSchema>) => ({
      method: 'POST',
      path: paths.operationPreview(),
      body,
    }),
    schema: reply('previewSchema'),
    stale: () => [],
    deadlineMs: COUNTING_DEADLINE_MS,
  });

/** Confirms a preview and returns the recorded operation. 409 PREVIEW_STALE lists what changed in its fields. */
export function useStartOperation() {
  const client = useQueryClient();
  return useWrite({
    send: (body: OperationRequest) => ({ method: 'POST', path: paths.operations(), body }),
    schema: reply('operationSchema'),
    stale: () => staleAfterOperation(),
    deadlineMs: COUNTING_DEADLINE_MS,
    // Cards and job pages follow it at once, not with the next frame.
    onDone: (operation) =>
      client.setQueryData<readonly Operation[]>(keys.operationsLive(), (known) =>
        mergeOperations(known ?? NONE, [operation]),
      ),
  });
}

/**
 * Changes the rate or the automatic stop of an open operation.
 * @param onDone also called where the caller is gone by then: the stream may bring the change before the reply
 */
export const useChangeOperation = (onDone: () => void) =>
  useWrite({
    send: ({ id, change }: { id: string; change: OperationChange }) => ({
      method: 'PATCH',
      path: paths.operation(id),
      body: change,
    }),
    schema: reply('operationSchema'),
    stale: ({ id }) => [keys.operationLists(), keys.operation(id)],
    onDone,
  });

/** Pauses, resumes, cancels, approves or rejects it. */
export const useOperationAction = () =>
  useWrite({
    send: ({
      id,
      action,
      ...body
    }: {
      id: string;
      action: OperationAction;
      reason?: string;
      canary?: boolean;
    }) => ({
      method: 'POST',
      path: paths.operationAction(id, action),
      body,
    }),
    schema: reply('operationSchema'),
    stale: ({ id }) => staleAfterOperation(id),
  });

/** Starts the operation that undoes this one, or its jobs that also match `q`, and returns it. */
export const useUndoOperation = () =>
  useWrite({
    send: ({ id, ...body }: { id: string; reason: string; q?: string }) => ({
      method: 'POST',
      path: paths.operationAction(id, 'undo'),
      body,
    }),
    schema: reply('operationSchema'),
    stale: ({ id }) => staleAfterOperation(id),
    deadlineMs: COUNTING_DEADLINE_MS,
  });

/** The jobs behind one number of the outcome. */
export function useOperationJobs(
  id: string,
  outcome: (typeof OPERATION_OUTCOMES)[number],
  cursor: string | null,
) {
  const offline = useLiveStatus() === 'offline';
  return useApiQuery(
    keys.operationJobs(id, outcome, cursor),
    withQuery(paths.operationJobs(id), { outcome, cursor, limit: PAGE_LIMIT_DEFAULT }),
    reply('operationJobsSchema'),
    {
      refetchInterval: offline ? false : 5 * REFETCH_MS,
      // Turning a page keeps the old one in place; another outcome starts empty.
      placeholderData: (previous, previousQuery) => {
        const [, , previousId, previousOutcome] = previousQuery?.queryKey ?? [];
        return previousId === id && previousOutcome === outcome ? previous : undefined;
      },
    },
  );
}

/** Whether some of its jobs have not ended, so that its outcome still changes. */
const isUnsettled = ({ outcome }: Operation): boolean =>
  outcome !== null && outcome.running + outcome.waiting > 0;

/** Counts only grow, so the version that scanned more, or ended, is newer. */
function fresher(known: Operation, live: readonly Operation[]): Operation {
  const streamed = live.find((candidate) => candidate.id === known.id);
  if (!streamed || !isOpen(known.status)) return known;
  return !isOpen(streamed.status) || streamed.scanned >= known.scanned ? streamed : known;
}

/** Changes whenever an operation that may have changed this job goes on; empty: none does. */
export function useOperationsOnJob(queue: string, jobId: string): { progress: string; isOpen: boolean } {
  const touching = useLiveOperations().filter(
    ({ kind, scope, target }) =>
      kind !== 'export' &&
      (scope.jobs
        ? scope.jobs.some((job) => job.queue === queue && job.jobId === jobId)
        : scope.queue === undefined || scope.queue === queue || target === queue),
  );
  return {
    progress: touching.map(({ id, status, moved }) => `${id} ${status} ${moved}`).join(),
    isOpen: touching.some(({ status, scope }) => status === 'running' && scope.jobs !== undefined),
  };
}
