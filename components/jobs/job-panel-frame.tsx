'use client';
import type { ReactNode } from 'react';
import { useOpenJob } from '@/components/shared/job-lists/use-open-job';
import { lazyPart } from '@/components/ui/lazy-part';

/** Not in the first load of a page. */
const JobPanel = lazyPart(() => import('./job-panel').then((file) => file.JobPanel));

/** A page with a list of jobs, and beside it the job that the URL names. */
export function JobPanelFrame({ children }: { children: ReactNode }) {
  const { job } = useOpenJob();
  return (
    <div className="lg:flex lg:items-start">
      <div className="min-w-0 flex-1">{children}</div>
      {job && <JobPanel job={job} />}
    </div>
  );
}
