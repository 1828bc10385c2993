import Link from 'next/link';
import { CountdownRing } from '@/components/ui/ring';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { links } from '@/lib/browser/links';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { truncateMiddle } from '@/lib/format/display-text';
import { count } from '@/lib/format/plural';
import { endCause, endedAt } from './worker-groups';

const JOBS_SHOWN = 6;
/** In pixels (`h-7`). */
const JOB_HEIGHT = 28;

/** The worker's jobs, with room for all it may run; for a worker that ended, how. */
export function WorkerJobs({ worker, ended }: { worker: Worker; ended: Worker | null }) {
  return (
    <div
      className="min-h-(--rows) flex-1 px-3 py-1.5 max-sm:min-h-(--phone-rows)"
      style={roomFor(worker.concurrency)}
    >
      {ended ? <HowItEnded worker={ended} /> : <JobList worker={worker} />}
    </div>
  );
}

/** The height at full concurrency, so that nothing moves as jobs come and go. */
function roomFor(concurrency: number): React.CSSProperties {
  const rows = concurrency > JOBS_SHOWN ? JOBS_SHOWN + 1 : concurrency;
  return {
    '--rows': `${Math.ceil(rows / 2) * JOB_HEIGHT + 12}px`,
    '--phone-rows': `${rows * JOB_HEIGHT + 12}px`,
  } as React.CSSProperties;
}

function HowItEnded({ worker }: { worker: Worker }) {
  const reclaimed = worker.end?.reclaimed ?? 0;
  return (
    <p className="truncate py-1.5 text-muted text-xs">
      {endCause(worker)}, <RelativeTime at={endedAt(worker)} />
      {reclaimed > 0 && `; ${count(reclaimed, 'job')} reclaimed`}
    </p>
  );
}

/** Type, lease and start. */
function JobList({ worker: { jobs, leaseMs, partial } }: { worker: Worker }) {
  if (jobs.length === 0)
    return (
      <p className="py-1.5 text-faint text-xs">
        {partial ? 'No jobs in flight in queues that you see.' : 'No jobs in flight.'}
      </p>
    );
  return (
    <ul className="grid gap-x-4 sm:grid-cols-2">
      {jobs.slice(0, JOBS_SHOWN).map((job) => (
        <li key={`${job.queue}/${job.jobId}`} className="flex h-7 min-w-0 items-center gap-2 text-xs">
          <CountdownRing until={job.leaseUntil} totalMs={leaseMs} size={22} />
          <Link
            href={links.job(job.queue, job.jobId)}
            prefetch={false}
            title={`${job.jobId} in ${job.queue}`}
            className="min-w-0 truncate hover:underline"
          >
            {job.jobType}{' '}
            <span translate="no" className="font-mono text-faint">
              {truncateMiddle(job.jobId, 9)}
            </span>
          </Link>
          <RelativeTime at={job.startedAt} className="ml-auto text-faint" />
        </li>
      ))}
      {jobs.length > JOBS_SHOWN && (
        <li className="h-7 text-faint text-xs leading-7">and {jobs.length - JOBS_SHOWN} more</li>
      )}
    </ul>
  );
}
