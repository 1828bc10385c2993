'use client';
import Link from 'next/link';
import type { MouseEvent, ReactNode } from 'react';
import { links } from '@/lib/browser/links';
import { isSameJob, type JobRef, useOpenJob } from './use-open-job';

/** A row's link: a plain click or Enter shows the job beside the list, anything else goes to its page. */
export function JobLink({ job, children }: { job: JobRef; children: ReactNode }) {
  const { job: open, show } = useOpenJob();
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0) return;
    event.preventDefault();
    show({ queue: job.queue, jobId: job.jobId });
  };
  return (
    <Link
      data-row-link
      href={links.job(job.queue, job.jobId)}
      prefetch={false}
      aria-current={isSameJob(open, job) || undefined}
      className="font-mono text-xs hover:underline aria-[current=true]:font-semibold aria-[current=true]:text-accent"
      onClick={onClick}
    >
      {children}
    </Link>
  );
}
