'use client';
import { LoadError } from '@/components/shared/load-error';
import { StateBadge } from '@/components/shared/state-badge';
import { KeyValue } from '@/components/ui/key-value';
import { lazyPart, lazyWithHtml } from '@/components/ui/lazy-part';
import { Panel } from '@/components/ui/panel';
import { CountdownRing } from '@/components/ui/ring';
import { Skeleton } from '@/components/ui/skeleton';
import { useNow } from '@/components/ui/text/clock-provider';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { useFollowOperations, useJob } from '@/lib/browser/jobs/use-jobs';
import { useUnmask } from '@/lib/browser/jobs/use-unmask';
import { useWorkers } from '@/lib/browser/live/use-workers';
import type { JobDetail } from '@/lib/contract/jobs/job-schemas';
import type { JobState } from '@/lib/contract/jobs/job-states';
import { duration } from '@/lib/format/duration';
import { EnvelopePanel } from './envelope-panel';
import { ErrorPanel } from './error-panel';
import { RelatedPanel } from './related-panel';

const JobNotFound = lazyPart(() => import('./job-not-found').then((module) => module.JobNotFound));
const JobTimeline = lazyWithHtml(() => import('./job-timeline').then((module) => module.JobTimeline), null);
const WaitReason = lazyWithHtml(
  () => import('./wait-reason-line').then((module) => module.WaitReason),
  <Skeleton className="mb-2" />,
);
const PayloadPanel = lazyWithHtml(
  () => import('./payload-panel').then((module) => module.PayloadPanel),
  <Skeleton className="h-40 w-full" />,
);

/** One job: error, payload, timeline, state and envelope. */
export function JobPage({
  queue,
  id,
  traceUrl,
}: {
  queue: string;
  id: string;
  /** With `{traceId}` for the trace id; null: trace ids are no links. */
  traceUrl: string | null;
}) {
  const query = useJob(queue, id);
  useFollowOperations(queue, id);
  const { data: job, error } = query;
  if (error?.status === 404)
    return <JobNotFound queue={queue} id={id} seen={job !== undefined} message={error.detail} />;
  if (!job && error) {
    return <LoadError title="The job could not be loaded" query={query} />;
  }
  return job ? <JobPanels job={job} traceUrl={traceUrl} /> : <JobSkeleton />;
}

function JobPanels({ job, traceUrl }: { job: JobDetail; traceUrl: string | null }) {
  const version = `${job.state} ${job.redrives} ${job.history.length} ${job.payload} ${job.result?.result}`;
  const unmask = useUnmask(job.queue, job.envelope.jobId, version);
  // Errors may contain hidden values.
  const seen = unmask.seen ? { ...job, history: unmask.seen.history } : job;
  return (
    <div className="grid gap-3 px-4 pb-6 max-sm:px-2 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="flex min-w-0 flex-col gap-3">
        {job.claim && <ClaimPanel job={job} claim={job.claim} />}
        <ErrorPanel job={seen} />
        <PayloadPanel job={job} unmask={unmask} />
        <JobTimeline job={seen} />
      </div>
      <div className="flex min-w-0 flex-col gap-3">
        <JobStatePanel job={job} />
        <RelatedPanel job={job} />
        <EnvelopePanel job={job} traceUrl={traceUrl} />
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

/** The worker, run time and lease of a job in flight. */
function ClaimPanel({ job, claim }: { job: JobDetail; claim: NonNullable<JobDetail['claim']> }) {
  const worker = useWorkers().data?.workers.find(({ workerId }) => workerId === claim.worker);
  const now = useNow();
  const left = claim.leaseUntil - now;
  return (
    <Panel>
      <div className="flex items-center gap-3">
        <CountdownRing
          until={claim.leaseUntil}
          totalMs={worker?.leaseMs ?? claim.leaseUntil - claim.claimedAt}
          size={40}
        />
        <div className="min-w-0">
          <p>
            In flight on{' '}
            <span translate="no" className="font-mono text-xs">
              {claim.worker}
            </span>{' '}
            for {duration(Math.max(0, Math.round((now - claim.claimedAt) / 1_000) * 1_000))}, attempt{' '}
            {job.attempt} of {job.envelope.maxAttempts}.
          </p>
          <p className="text-muted text-xs">
            {left > 0
              ? 'The worker renews the lease. If the worker dies, the job is reclaimed when the lease expires.'
              : 'The lease has expired. The next reclaim sweep returns this job to ready.'}
          </p>
        </div>
      </div>
    </Panel>
  );
}

/** Label of the state's time. */
const SINCE: Partial<Record<JobState, string>> = {
  'in-flight': 'Lease ends',
  scheduled: 'Due',
  retry: 'Due',
  completed: 'Completed',
  dead: 'Died',
  suppressed: 'Suppressed',
  trashed: 'Trashed',
};

/** State and attempts of the job. */
function JobStatePanel({ job }: { job: JobDetail }) {
  const since = SINCE[job.state];
  return (
    <Panel title="State" aside={<StateBadge state={job.state} plain />}>
      <WaitReason job={job} />
      <KeyValue
        items={[
          ...(since ? [{ label: since, value: <RelativeTime at={job.stateAt} /> }] : []),
          { label: 'Attempts', value: `${job.attempt} of ${job.envelope.maxAttempts}` },
          { label: 'Claimed', value: times(job.deliveries) },
          { label: 'Leases lost', value: times(job.leaseLosses) },
          { label: 'Re-drives', value: times(job.redrives) },
        ]}
      />
    </Panel>
  );
}

const times = (n: number): string => (n === 0 ? 'never' : n === 1 ? 'once' : `${n} times`);
