'use client';
import { actionResultSchema, paths } from '@/lib/contract/api';
import type { JobAction } from '@/lib/contract/job';
import { request } from './api';
import { staleAfterJobsOf } from './keys';
import { useWrite } from './query-options';

export interface JobActionInput {
  queue: string;
  jobId: string;
  action: JobAction;
  reason?: string;
}

/** Does one action to one job; which actions fit is `JOB_ACTIONS`. */
export function useJobAction() {
  return useWrite({
    run: ({ queue, jobId, action, reason }: JobActionInput, idempotencyKey) =>
      request(paths.jobAction(queue, jobId, action), {
        method: 'POST',
        body: { reason },
        schema: actionResultSchema,
        idempotencyKey,
      }),
    stale: ({ queue }) => staleAfterJobsOf(queue),
  });
}
