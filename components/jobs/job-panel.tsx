'use client';
import Link from 'next/link';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { isSameJob, type JobRef, listedJobs, useOpenJob } from '@/components/shared/job-lists/use-open-job';
import { LoadError } from '@/components/shared/load-error';
import { StateBadge } from '@/components/shared/state-badge';
import { usePageKeys } from '@/components/shared/use-list-keys';
import { CopyButton } from '@/components/ui/controls/copy-button';
import { IconButton } from '@/components/ui/controls/icon-button';
import { ChevronDown, ChevronUp, SquareArrowOutUpRight, X } from '@/components/ui/icons';
import { pageActions } from '@/components/ui/page-actions';
import { Skeleton } from '@/components/ui/skeleton';
import { DataAge } from '@/components/ui/text/relative-time';
import { useFollowOperations, useJob } from '@/lib/browser/jobs/use-jobs';
import { useUnmask } from '@/lib/browser/jobs/use-unmask';
import { links } from '@/lib/browser/links';
import type { JobDetail } from '@/lib/contract/jobs/job-schemas';
import { ErrorPanel } from './error-panel';
import { JobActions } from './job-actions';
import { JobTimeline } from './job-timeline';
import { PayloadPanel } from './payload-panel';
import { IS_WAITING } from './wait-reason';
import { WaitReason } from './wait-reason-line';

const rowLink = ({ queue, jobId }: JobRef): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-row-link][href="${CSS.escape(links.job(queue, jobId))}"]`);

/** A job beside the list it is in: error, payload, timeline and actions. j and k step through the rows, Escape closes. */
export function JobPanel({ job }: { job: JobRef }) {
  const { show, close } = useOpenJob();
  const section = useRef<HTMLElement>(null);
  const rows = useSyncExternalStore(listedJobs.subscribe, listedJobs.get, listedJobs.get);
  const index = rows.findIndex((row) => isSameJob(row, job));
  const step = (by: number) => {
    const next = rows[index + by];
    if (next) show(next);
  };
  const leave = () => {
    rowLink(job)?.focus();
    close();
  };
  usePageKeys({ Escape: leave });
  useEffect(() => section.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    section.current?.scrollTo(0, 0);
    rowLink(job)?.scrollIntoView({ block: 'nearest' });
  }, [job]);
  const { queue, jobId } = job;
  return (
    <section
      ref={section}
      aria-label="Job panel"
      tabIndex={-1}
      className="z-20 flex flex-col overflow-y-auto overscroll-contain bg-canvas outline-none max-lg:fixed max-lg:inset-0 max-lg:z-40 lg:sticky lg:top-11 lg:h-[calc(100dvh-2.75rem-var(--dock,0px)-var(--pauses,0px))] lg:w-[30rem] lg:shrink-0 lg:border-line lg:border-l"
    >
      <header className="sticky top-0 z-10 space-y-1.5 border-line border-b bg-panel px-3 py-2">
        <div className="flex items-center gap-1">
          <JobTitle job={job} />
          <IconButton label="Previous row (k)" size="sm" disabled={index < 1} onClick={() => step(-1)}>
            <ChevronUp aria-hidden />
          </IconButton>
          <IconButton
            label="Next row (j)"
            size="sm"
            disabled={index < 0 || index >= rows.length - 1}
            onClick={() => step(1)}
          >
            <ChevronDown aria-hidden />
          </IconButton>
          <IconButton asChild label="Job page" size="sm">
            <Link href={links.job(queue, jobId)} prefetch={false}>
              <SquareArrowOutUpRight aria-hidden />
            </Link>
          </IconButton>
          <IconButton label="Close (Esc)" size="sm" onClick={leave}>
            <X aria-hidden />
          </IconButton>
        </div>
        <div className="flex flex-wrap items-center gap-1.5" {...pageActions}>
          <JobActions key={`${queue}/${jobId}`} queue={queue} id={jobId} compact />
        </div>
      </header>
      <PanelBody key={`${queue}/${jobId}`} job={job} />
    </section>
  );
}

function JobTitle({ job: { queue, jobId } }: { job: JobRef }) {
  const { data } = useJob(queue, jobId);
  return (
    <div className="min-w-0 flex-1">
      <h2 aria-live="polite" className="truncate font-medium text-sm">
        {data ? data.envelope.jobType : jobId}
        <span className="font-normal text-muted">
          {' '}
          in {queue}
          {data && `, tenant ${data.envelope.tenantId}`}
        </span>
      </h2>
      <div className="flex min-w-0 items-center gap-x-2">
        {data && <StateBadge state={data.state} />}
        <span translate="no" title={jobId} className="min-w-0 truncate font-mono text-faint text-xs">
          {jobId}
        </span>
        <CopyButton text={jobId} label="Copy the job id" />
        {data && <DataAge at={data.at} staleAfterMs={25_000} />}
      </div>
    </div>
  );
}

function PanelBody({ job: { queue, jobId } }: { job: JobRef }) {
  const query = useJob(queue, jobId);
  useFollowOperations(queue, jobId);
  const { data, error } = query;
  if (error?.status === 404) return <p className="p-3 text-muted">{error.detail}</p>;
  if (!data && error) return <LoadError title="The job could not be loaded" query={query} />;
  if (!data)
    return (
      <div aria-hidden className="space-y-3 p-3">
        <Skeleton className="h-24 w-full" />
        <Skeleton className="h-40 w-full" />
        <Skeleton className="h-24 w-full" />
      </div>
    );
  return <PanelDetails job={data} />;
}

function PanelDetails({ job }: { job: JobDetail }) {
  const version = `${job.state} ${job.redrives} ${job.history.length} ${job.payload} ${job.result?.result}`;
  const unmask = useUnmask(job.queue, job.envelope.jobId, version);
  // Errors may contain hidden values.
  const seen = unmask.seen ? { ...job, history: unmask.seen.history } : job;
  return (
    <div className="flex min-w-0 flex-col gap-3 p-3">
      {IS_WAITING.has(job.state) && <WaitReason job={job} />}
      <ErrorPanel job={seen} />
      <PayloadPanel job={job} unmask={unmask} />
      <JobTimeline job={seen} />
    </div>
  );
}
