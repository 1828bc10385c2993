'use client';
import { type RefObject, useEffect } from 'react';
import { useListKeys } from '../use-list-keys';
import { isSameJob, type JobRef, listedJobs, useOpenJob } from './use-open-job';

/** Marks the row in focus, and the one that is shown beside the list. */
export const jobRowProps = () => ({
  className:
    'focus-within:[&>td:first-child]:shadow-[inset_2px_0_var(--accent)] has-[[data-row-link][aria-current=true]]:bg-accent/8 has-[[data-row-link][aria-current=true]]:[&>td:first-child]:shadow-[inset_2px_0_var(--accent)]',
});

/** Keys of a list of jobs with a panel beside it: see `useListKeys`. */
export function useJobList(
  region: RefObject<HTMLElement | null>,
  jobs: readonly JobRef[],
  actions: Omit<NonNullable<Parameters<typeof useListKeys>[1]>, 'panel'>,
): void {
  const { job: open, show } = useOpenJob();
  const ids = JSON.stringify(jobs.map(({ queue, jobId }) => [queue, jobId]));
  useEffect(() => {
    const refs = (JSON.parse(ids) as [string, string][]).map(([queue, jobId]) => ({ queue, jobId }));
    listedJobs.set(refs);
    return () => listedJobs.set([]);
  }, [ids]);
  useListKeys(region, {
    ...actions,
    panel: open && {
      index: jobs.findIndex((job) => isSameJob(job, open)),
      show: (index) => {
        const job = jobs[index];
        if (job) show(job);
      },
    },
  });
}
