import Link from 'next/link';
import { RelativeTime } from '@/components/ui/relative-time';
import { CountdownRing } from '@/components/ui/ring';
import { links } from '@/lib/client/links';
import type { Worker } from '@/lib/contract/workers';
import { truncateMiddle } from '@/lib/format/text';

export const JOBS_SHOWN = 6;
/** Of a row, in pixels (`h-7`). */
export const JOB_HEIGHT = 28;

/** What a worker holds: type, since when, and the lease that brings it back should the worker vanish. */
export function WorkerJobs({ worker }: { worker: Worker }) {
  const { jobs, leaseMs } = worker;
  if (jobs.length === 0) return <p className="py-1.5 text-faint text-xs">Holds no job right now.</p>;
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
            {job.jobType} <span className="font-mono text-faint">{truncateMiddle(job.jobId, 9)}</span>
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
