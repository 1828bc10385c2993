'use client';
import { paths } from '@/lib/contract/api-paths';
import { REFETCH_MS, useApiQuery } from './api/query-defaults';
import { keys } from './api/query-keys';
import { reply } from './api/reply-schemas';

/** What a worker held when it ended, and where each job is now. */
export const useWorkerJobs = (workerId: string) =>
  useApiQuery(keys.workerJobs(workerId), paths.workerJobs(workerId), reply('workerJobsSchema'), {
    refetchInterval: REFETCH_MS,
  });
