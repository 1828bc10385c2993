'use client';
import { paths, reclaimedSchema } from '@/lib/contract/api';
import { request } from './api';
import { keys, staleAfterJobsOf } from './keys';
import { useWrite } from './query-options';

/** Returns the jobs of one queue whose lease ran out. */
export function useReclaim() {
  return useWrite({
    run: ({ queue }: { queue: string }, idempotencyKey) =>
      request(paths.reclaim(queue), { method: 'POST', schema: reclaimedSchema, idempotencyKey }),
    stale: ({ queue }) => [...staleAfterJobsOf(queue), keys.workers()],
  });
}
