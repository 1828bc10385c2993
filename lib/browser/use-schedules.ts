'use client';
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { PAGE_LIMIT_DEFAULT, paths } from '@/lib/contract/api-paths';
import type {
  SchedulePatch,
  SchedulePreview,
  SchedulePreviewRequest,
  ScheduleRequest,
} from '@/lib/contract/schedules/schedule-schemas';
import { type ApiError, request, withQuery } from './api/api-client';
import { REFETCH_MS, retryTransient, useApiQuery, useWrite } from './api/query-defaults';
import { keys, staleAfterJobsOf } from './api/query-keys';
import { reply } from './api/reply-schemas';
import { useLiveStatus } from './live/live-provider';

/** A page of schedules, by id; polled, because an occurrence has no event of its own. `q`: part of the id. */
export function useSchedules(cursor: string | null, q = '') {
  const offline = useLiveStatus() === 'offline';
  return useApiQuery(
    keys.scheduleList(cursor, q),
    withQuery(paths.schedules(), { cursor, limit: PAGE_LIMIT_DEFAULT, q: q || null }),
    reply('schedulesPageSchema'),
    { refetchInterval: offline ? false : REFETCH_MS, placeholderData: keepPreviousData },
  );
}

/** The current schedule with its payload, for a form that changes it. */
export const useSchedule = (id: string) =>
  useApiQuery(keys.schedule(id), paths.schedule(id), reply('scheduleDetailSchema'), {
    // A form must not start from outdated values, nor change while the user fills it in.
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

/** The same with its runs, read anew while they are on show. */
export const useScheduleRuns = (id: string) =>
  useApiQuery(keys.scheduleRuns(id), paths.schedule(id), reply('scheduleDetailSchema'), {
    refetchInterval: REFETCH_MS,
  });

/** The next fire times of the entered timing; null: no timing yet. */
export function useSchedulePreview(
  asked: SchedulePreviewRequest | null,
): UseQueryResult<SchedulePreview, ApiError> {
  return useQuery<SchedulePreview, ApiError>({
    networkMode: 'always',
    // An invalid timing stays invalid.
    retry: retryTransient,
    enabled: asked !== null,
    queryKey: keys.schedulePreview(asked),
    queryFn: ({ signal }) =>
      request(paths.schedulePreview(), {
        method: 'POST',
        body: asked,
        schema: reply('schedulePreviewSchema'),
        signal,
      }),
    staleTime: 10_000,
    gcTime: 60_000,
  });
}

const stale = () => [keys.schedules()];

export const useCreateSchedule = () =>
  useWrite({
    send: (body: ScheduleRequest) => ({ method: 'POST', path: paths.schedules(), body }),
    schema: reply('scheduleSchema'),
    stale,
  });

export const useChangeSchedule = () =>
  useWrite({
    send: ({ id, patch }: { id: string; patch: SchedulePatch }) => ({
      method: 'PATCH',
      path: paths.schedule(id),
      body: patch,
    }),
    schema: reply('scheduleSchema'),
    stale,
  });

/** Pauses or resumes. */
export const usePauseSchedule = () =>
  useWrite({
    send: ({ id, action, reason }: { id: string; action: 'pause' | 'resume'; reason?: string }) => ({
      method: 'POST',
      path: paths.scheduleAction(id, action),
      body: { reason },
    }),
    schema: reply('scheduleSchema'),
    stale,
  });

export const useRunSchedule = () =>
  useWrite({
    send: ({ id }: { id: string; queue: string }) => ({
      method: 'POST',
      path: paths.scheduleAction(id, 'run'),
    }),
    schema: reply('scheduleRunSchema'),
    stale: ({ queue }) => [keys.schedules(), ...staleAfterJobsOf(queue)],
  });

export const useDeleteSchedule = () =>
  useWrite({
    send: ({ id, reason }: { id: string; reason?: string }) => ({
      method: 'DELETE',
      path: paths.schedule(id),
      body: { reason },
    }),
    schema: reply('removedSchema'),
    stale,
  });
