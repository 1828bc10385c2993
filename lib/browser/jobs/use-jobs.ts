'use client';
import type { z } from 'zod';
import { PAGE_LIMIT_DEFAULT, paths } from '@/lib/contract/api-paths';
import type { enqueueRequestJobSchema } from '@/lib/contract/jobs/envelope';
import type { JobAction } from '@/lib/contract/jobs/job-actions';
import { jobDetailSchema, jobPageSchema } from '@/lib/contract/jobs/job-schemas';
import type { JobState } from '@/lib/contract/jobs/job-states';
import { actionResultSchema, enqueueReplySchema } from '@/lib/contract/request-schemas';
import { withQuery } from '../api/api-client';
import { REFETCH_MS, useApiQuery, useWrite } from '../api/query-defaults';
import { keys, staleAfterJobsOf } from '../api/query-keys';
import { useLiveStatus } from '../live/live-provider';

export interface PageOptions {
  cursor?: string | null;
  /** Pauses auto-refresh; the user's own changes still show. */
  paused?: boolean;
}

/**
 * A page of the jobs in one state, read again every two seconds while the console answers.
 * @param q only the matches; see docs/search.md
 */
export function useJobs(
  queue: string,
  state: JobState,
  { q = '', cursor = null, paused = false }: PageOptions & { q?: string } = {},
) {
  const offline = useLiveStatus() === 'offline';
  return useApiQuery(
    keys.jobs(queue, state, q, cursor),
    withQuery(paths.jobs(queue), { state, q, cursor, limit: PAGE_LIMIT_DEFAULT }),
    jobPageSchema,
    {
      refetchInterval: ({ state: read }) =>
        paused || offline || read.error?.status === 400 ? false : REFETCH_MS,
      refetchOnWindowFocus: !paused,
      // Turning a page keeps the old one in place; another tab or queue starts empty.
      placeholderData: (previous, previousQuery) => {
        const [, previousQueue, previousState] = previousQuery?.queryKey ?? [];
        return previousQueue === queue && previousState === state ? previous : undefined;
      },
    },
  );
}

const AT_REST: readonly JobState[] = ['completed', 'dead', 'suppressed', 'trashed'];

/** One job in full. `error.status` is 404 once it is gone; then it is read again on focus only. */
export function useJob(queue: string, id: string) {
  const offline = useLiveStatus() === 'offline';
  return useApiQuery(keys.job(queue, id), paths.job(queue, id), jobDetailSchema, {
    refetchInterval: ({ state }) => {
      if (offline || state.error?.status === 404) return false;
      return state.data && AT_REST.includes(state.data.state) ? 5 * REFETCH_MS : REFETCH_MS;
    },
  });
}

/** Applies one of `JOB_ACTIONS` to a job. */
export const useJobAction = () =>
  useWrite({
    send: (input: { queue: string; jobId: string; action: JobAction; reason?: string }) => ({
      method: 'POST',
      path: paths.jobAction(input.queue, input.jobId, input.action),
      body: { reason: input.reason },
    }),
    schema: actionResultSchema,
    stale: ({ queue }) => staleAfterJobsOf(queue),
  });

export type EnqueueJobInput = z.input<typeof enqueueRequestJobSchema>;

/** Enqueues one job. `error.fields` holds the message for each invalid field. */
export const useEnqueue = () =>
  useWrite({
    send: ({ queue, job }: { queue: string; job: EnqueueJobInput }) => ({
      method: 'POST',
      path: paths.jobs(queue),
      body: job,
    }),
    schema: enqueueReplySchema,
    stale: ({ queue }) => staleAfterJobsOf(queue),
  });
