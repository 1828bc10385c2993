'use client';
import { ErrorState } from '@/components/ui/error-state';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { useJob } from '@/lib/client/use-job';
import { useUnmask } from '@/lib/client/use-unmask';
import type { JobDetail } from '@/lib/contract/job';
import { ClaimPanel } from './claim-panel';
import { EnvelopePanel } from './envelope-panel';
import { ErrorPanel } from './error-panel';
import { JobGone } from './job-gone';
import { PayloadPanel } from './payload-panel';
import { RunsPanel } from './runs-panel';
import { Timeline } from './timeline';

/** One job: what it is, what happened to it, and why it is where it is. */
export function JobPage({ queue, id }: { queue: string; id: string }) {
  const { data: job, error, refetch, isFetching } = useJob(queue, id);
  if (error?.status === 404) return <JobGone queue={queue} seen={job !== undefined} message={error.detail} />;
  if (!job && error) {
    return (
      <ErrorState
        title="The job could not be loaded"
        message={error.detail}
        reference={error.requestId ?? undefined}
        retrying={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  return job ? <JobPanels job={job} /> : <JobSkeleton />;
}

function JobPanels({ job }: { job: JobDetail }) {
  const version = `${job.state} ${job.redrives} ${job.history.length} ${job.payload} ${job.result?.result}`;
  const unmask = useUnmask(job.queue, job.envelope.jobId, version);
  // Errors repeat hidden values, too.
  const seen = unmask.seen ? { ...job, history: unmask.seen.history } : job;
  return (
    <div className="grid gap-3 px-4 pb-6 max-sm:px-2 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="flex min-w-0 flex-col gap-3">
        {job.claim && <ClaimPanel job={job} claim={job.claim} />}
        <ErrorPanel job={seen} />
        <PayloadPanel job={job} unmask={unmask} />
        <Timeline job={seen} />
      </div>
      <div className="flex min-w-0 flex-col gap-3">
        <RunsPanel job={job} />
        <EnvelopePanel job={job} />
      </div>
    </div>
  );
}

function JobSkeleton() {
  return (
    <div
      role="status"
      aria-busy="true"
      className="grid gap-3 px-4 pb-6 max-sm:px-2 lg:grid-cols-[minmax(0,1fr)_22rem]"
    >
      <span className="sr-only">Loading</span>
      {['main', 'side'].map((key) => (
        <div key={key} className="flex min-w-0 flex-col gap-3">
          <Panel>
            <Skeleton className="w-1/4" />
            <Skeleton className="mt-4 h-24 w-full opacity-50" />
          </Panel>
          <Panel>
            <Skeleton className="w-1/4" />
            <Skeleton className="mt-4 h-40 w-full opacity-50" />
          </Panel>
        </div>
      ))}
    </div>
  );
}
