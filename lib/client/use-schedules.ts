'use client';
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { PAGE_LIMIT_DEFAULT, paths } from '@/lib/contract/api';
import {
  type Schedule,
  type SchedulePatch,
  type SchedulePreview,
  type SchedulePreviewRequest,
  type ScheduleRequest,
  type SchedulesPage,
  scheduleDeletedSchema,
  schedulePreviewSchema,
  scheduleRunSchema,
  scheduleSchema,
  schedulesPageSchema,
} from '@/lib/contract/schedules';
import { type ApiError, request, withQuery } from './api';
import { keys, staleAfterJobsOf } from './keys';
import { useLiveStatus } from './live';
import { queryDefaults, REFETCH_MS, retryPassing, useWrite } from './query-options';

/** A page of schedules, by id. Slots come and go without an event of their own, so it is read again and again. */
export function useSchedules({
  cursor = null,
  limit = PAGE_LIMIT_DEFAULT,
}: {
  cursor?: string | null;
  limit?: number;
} = {}): UseQueryResult<SchedulesPage, ApiError> {
  const offline = useLiveStatus() === 'offline';
  return useQuery<SchedulesPage, ApiError>({
    ...queryDefaults,
    queryKey: keys.scheduleList(cursor, limit),
    queryFn: ({ signal }) =>
      request(withQuery(paths.schedules(), { cursor, limit }), { schema: schedulesPageSchema, signal }),
    refetchInterval: offline ? false : REFETCH_MS,
    placeholderData: keepPreviousData,
  });
}

/** One schedule with its payload, as it is now: for a form that changes it. */
export function useSchedule(id: string): UseQueryResult<Schedule, ApiError> {
  return useQuery<Schedule, ApiError>({
    ...queryDefaults,
    queryKey: keys.schedule(id),
    queryFn: ({ signal }) => request(paths.schedule(id), { schema: scheduleSchema, signal }),
    // A form must not start from what was true a while ago, nor change under the hands of who fills it in.
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

/** The next slots of what is being typed; null while there is nothing to ask about. */
export function useSchedulePreview(
  asked: SchedulePreviewRequest | null,
): UseQueryResult<SchedulePreview, ApiError> {
  return useQuery<SchedulePreview, ApiError>({
    networkMode: 'always',
    // What is refused for how it is written stays refused.
    retry: retryPassing,
    enabled: asked !== null,
    queryKey: keys.schedulePreview(asked),
    queryFn: ({ signal }) =>
      request(paths.schedulePreview(), {
        method: 'POST',
        body: asked,
        schema: schedulePreviewSchema,
        signal,
      }),
    staleTime: 10_000,
    gcTime: 60_000,
  });
}

const stale = () => [keys.schedules()];

export function useCreateSchedule() {
  return useWrite({
    run: (body: ScheduleRequest, idempotencyKey) =>
      request(paths.schedules(), { method: 'POST', body, schema: scheduleSchema, idempotencyKey }),
    stale,
  });
}

export function useChangeSchedule() {
  return useWrite({
    run: ({ id, patch }: { id: string; patch: SchedulePatch }, idempotencyKey) =>
      request(paths.schedule(id), { method: 'PATCH', body: patch, schema: scheduleSchema, idempotencyKey }),
    stale,
  });
}

/** Pauses or resumes. */
export function usePauseSchedule() {
  return useWrite({
    run: (
      { id, action, reason }: { id: string; action: 'pause' | 'resume'; reason?: string },
      idempotencyKey,
    ) =>
      request(paths.scheduleAction(id, action), {
        method: 'POST',
        body: { reason },
        schema: scheduleSchema,
        idempotencyKey,
      }),
    stale,
  });
}

export function useRunSchedule() {
  return useWrite({
    run: ({ id }: { id: string; queue: string }, idempotencyKey) =>
      request(paths.scheduleAction(id, 'run'), { method: 'POST', schema: scheduleRunSchema, idempotencyKey }),
    stale: ({ queue }) => [keys.schedules(), ...staleAfterJobsOf(queue)],
  });
}

export function useDeleteSchedule() {
  return useWrite({
    run: ({ id, reason }: { id: string; reason?: string }, idempotencyKey) =>
      request(paths.schedule(id), {
        method: 'DELETE',
        body: { reason },
        schema: scheduleDeletedSchema,
        idempotencyKey,
      }),
    stale,
  });
}
