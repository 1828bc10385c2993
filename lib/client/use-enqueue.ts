'use client';
import type { z } from 'zod';
import { enqueueReplySchema, paths } from '@/lib/contract/api';
import type { enqueueRequestJobSchema } from '@/lib/contract/envelope';
import { request } from './api';
import { staleAfterJobsOf } from './keys';
import { useWrite } from './query-options';

export type EnqueueJobInput = z.input<typeof enqueueRequestJobSchema>;

/** Enqueues one job. What is wrong with it comes back in `error.fields`. */
export function useEnqueue() {
  return useWrite({
    run: ({ queue, job }: { queue: string; job: EnqueueJobInput }, idempotencyKey) =>
      request(paths.jobs(queue), { method: 'POST', body: job, schema: enqueueReplySchema, idempotencyKey }),
    stale: ({ queue }) => staleAfterJobsOf(queue),
  });
}
