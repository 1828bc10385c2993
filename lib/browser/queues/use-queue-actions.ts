'use client';
import type { z } from 'zod';
import { paths } from '@/lib/contract/api-paths';
import type { pauseRequestSchema, resumeRequestSchema } from '@/lib/contract/queues/pause-schemas';
import { useWrite } from '../api/query-defaults';
import { keys, staleAfterJobsOf } from '../api/query-keys';
import { reply } from '../api/reply-schemas';

interface OfQueue {
  queue: string;
}
const staleAfterPause = ({ queue }: OfQueue) => [...staleAfterJobsOf(queue), keys.changes(queue)];

/** Pauses a queue, one tenant or one job type. Answers with every pause of the queue. */
export const usePause = () =>
  useWrite({
    send: ({ queue, ...body }: z.input<typeof pauseRequestSchema> & OfQueue) => ({
      method: 'POST',
      path: paths.pause(queue),
      body,
    }),
    schema: reply('pausesSchema'),
    stale: staleAfterPause,
  });

export const useResume = () =>
  useWrite({
    send: ({ queue, ...body }: z.input<typeof resumeRequestSchema> & OfQueue) => ({
      method: 'POST',
      path: paths.resume(queue),
      body,
    }),
    schema: reply('pausesSchema'),
    stale: staleAfterPause,
  });

/** Reclaims the jobs of one queue whose lease expired. */
export const useReclaim = () =>
  useWrite({
    send: ({ queue }: OfQueue) => ({ method: 'POST', path: paths.reclaim(queue) }),
    schema: reply('reclaimedSchema'),
    stale: ({ queue }) => [...staleAfterJobsOf(queue), keys.workers()],
  });
