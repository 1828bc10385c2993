'use client';
import { useWorkers } from '@/lib/browser/live/use-workers';
import { useDebounced } from '@/lib/browser/search/use-suggest';
import { missingInReleases } from '@/lib/contract/workers/release-coverage';
import { LIVE_STATUSES } from '@/lib/contract/workers/worker-limits';
import type { WorkersPage } from '@/lib/contract/workers/worker-schemas';
import { missingHandlerLabel } from './coverage-text';

/** Typing pauses for so long before a half typed name counts as a wrong one. */
const SETTLE_MS = 400;

/** What live workers of the queue lack for a job that is typed, by the rule of the list of schedules. Undefined: nothing, or it is not known. */
export function useMissingHandler(queue: string, jobType: string, jobVersion = 1): string | undefined {
  const page = useWorkers().data;
  const typed = `${queue.trim()} ${jobType.trim()}`;
  const settled = useDebounced(typed, SETTLE_MS);
  return page && typed === settled
    ? missingText(page, queue.trim(), { jobType: jobType.trim(), jobVersion })
    : undefined;
}

export function missingText(
  { at, workers }: WorkersPage,
  queue: string,
  job: { readonly jobType: string; readonly jobVersion: number },
): string | undefined {
  if (queue === '' || job.jobType === '') return undefined;
  const releases = workers
    .filter(({ status }) => LIVE_STATUSES.has(status))
    .map((worker) => ({
      queues: Object.keys(worker.queues),
      handlers: worker.handlers.map((handler) => ({ ...handler, schema: null })),
      lastSeenAt: at,
    }));
  const missingHandler = missingInReleases({ at, releases }, { queue, ...job });
  return missingHandlerLabel({ queue, job, missingHandler }) ?? undefined;
}
