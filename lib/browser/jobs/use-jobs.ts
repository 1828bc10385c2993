'use client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { z } from 'zod';
import { PAGE_LIMIT_DEFAULT, paths } from '@/lib/contract/api-paths';
import type { enqueueRequestJobSchema } from '@/lib/contract/jobs/envelope';
import type { JobAction } from '@/lib/contract/jobs/job-actions';
import type { JobState } from '@/lib/contract/jobs/job-states';
import { withQuery } from '../api/api-client';
import { REFETCH_MS, useApiQuery, useWrite } from '../api/query-defaults';
import { keys, staleAfterJobsOf } from '../api/query-keys';
import { reply } from '../api/reply-schemas';
import { useLiveStatus } from '../live/live-provider';
import { useOperationsOnJob } from '../use-operations';

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
    reply('jobPageSchema'),
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

/** The first page as it is now, for the number of new rows while the list stands still. */
export const useNewestJobs = (queue: string, state: JobState, q: string) =>
  useApiQuery(
    keys.jobsNewest(queue, state, q),
    withQuery(paths.jobs(queue), { state, q, limit: PAGE_LIMIT_DEFAULT }),
    reply('jobPageSchema'),
    { refetchInterval: useLiveStatus() === 'offline' ? false : REFETCH_MS },
  );

const AT_REST: readonly JobState[] = ['completed', 'dead', 'suppressed', 'trashed'];
const OPERATION_REFETCH_MS = 300;

/** One job in full. `error.status` is 404 once it is gone; then it is read again on focus only. */
export function useJob(queue: string, id: string) {
  const offline = useLiveStatus() === 'offline';
  return useApiQuery(keys.job(queue, id), paths.job(queue, id), reply('jobDetailSchema'), {
    refetchInterval: ({ state }) => {
      if (offline || state.error?.status === 404) return false;
      return state.data && AT_REST.includes(state.data.state) ? 5 * REFETCH_MS : REFETCH_MS;
    },
  });
}

/** Reads the job again as soon as an operation may have changed it, and often while one on this very job runs. */
export function useFollowOperations(queue: string, id: string): void {
  const client = useQueryClient();
  const { progress, isOpen } = useOperationsOnJob(queue, id);
  const seen = useRef(progress);
  useEffect(() => {
    const read = () => void client.invalidateQueries({ queryKey: keys.job(queue, id) });
    if (seen.current !== progress) read();
    seen.current = progress;
    const timer = isOpen ? setInterval(read, OPERATION_REFETCH_MS) : undefined;
    return () => clearInterval(timer);
  }, [client, queue, id, progress, isOpen]);
}

/** Applies one of `JOB_ACTIONS` to a job. */
export const useJobAction = () =>
  useWrite({
    send: (input: { queue: string; jobId: string; action: JobAction; reason?: string }) => ({
      method: 'POST',
      path: paths.jobAction(input.queue, input.jobId, input.action),
      body: { reason: input.reason },
    }),
    schema: reply('actionResultSchema'),
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
    schema: reply('enqueueReplySchema'),
    stale: ({ queue }) => staleAfterJobsOf(queue),
  });
