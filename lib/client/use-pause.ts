'use client';
import type { z } from 'zod';
import { paths, pausesSchema } from '@/lib/contract/api';
import type { pauseRequestSchema, resumeRequestSchema } from '@/lib/contract/queue';
import { request } from './api';
import { keys, staleAfterJobsOf } from './keys';
import { useWrite } from './query-options';

export type PauseInput = z.input<typeof pauseRequestSchema> & { queue: string };
export type ResumeInput = z.input<typeof resumeRequestSchema> & { queue: string };

/** Pauses a queue, one tenant or one job type. Answers with every pause of the queue. */
export function usePause() {
  return useWrite({
    run: ({ queue, ...body }: PauseInput, idempotencyKey) =>
      request(paths.pause(queue), { method: 'POST', body, schema: pausesSchema, idempotencyKey }),
    stale: ({ queue }) => [...staleAfterJobsOf(queue), keys.changes(queue)],
  });
}

export function useResume() {
  return useWrite({
    run: ({ queue, ...body }: ResumeInput, idempotencyKey) =>
      request(paths.resume(queue), { method: 'POST', body, schema: pausesSchema, idempotencyKey }),
    stale: ({ queue }) => [...staleAfterJobsOf(queue), keys.changes(queue)],
  });
}
