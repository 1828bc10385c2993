'use client';
import { paths } from '@/lib/contract/api-paths';
import type { WorkerRequest } from '@/lib/contract/workers/worker-requests';
import { useWrite } from './api/query-defaults';
import { keys } from './api/query-keys';
import { reply } from './api/reply-schemas';

/** Asks workers to take no new jobs, to take them again, or to end. */
export const useRequestWorkers = () =>
  useWrite({
    send: (body: WorkerRequest) => ({ method: 'POST', path: paths.workerRequests(), body }),
    schema: reply('workerRequestReplySchema'),
    stale: () => [keys.workers()],
  });
