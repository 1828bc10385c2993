'use client';
import Link from 'next/link';
import type { MouseEvent } from 'react';
import { MiddleCut } from '@/components/ui/text/middle-cut';
import { links } from '@/lib/browser/links';
import { isSameJob, type JobRef, useOpenJob } from './use-open-job';

const ID_TAIL_CHARS = 6;

/** A row's link: a plain click or Enter shows the job beside the list, anything else goes to its page. */
export function JobLink({ job }: { job: JobRef }) {
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
      aria-label={job.jobId}
      aria-current={isSameJob(open, job) || undefined}
      className="flex max-w-fit font-mono text-xs hover:underline aria-[current=true]:font-semibold aria-[current=true]:text-accent"
      onClick={onClick}
    >
      <MiddleCut text={job.jobId} tail={ID_TAIL_CHARS} />
    </Link>
  );
}
