'use client';
import Link from 'next/link';
import { useEffect, useMemo } from 'react';
import { StateBadge } from '@/components/shared/state-badge';
import {
  type JobReference,
  type RelatedJobs as Related,
  useRelatedJobs,
} from '@/lib/browser/jobs/use-related-jobs';
import { links } from '@/lib/browser/links';
import type { JobDetail } from '@/lib/contract/jobs/job-schemas';
import { fullNumber } from '@/lib/format/number';

/** Jobs with the same references, looked for once it is mounted. */
export function RelatedJobs({ job }: { job: JobDetail }) {
  const { queue, envelope } = job;
  const { found, find } = useRelatedJobs(useReferences(job));
  useEffect(find, [find]);
  return (
    <div className="mt-2 grid gap-2" aria-live="polite">
      {found?.map((related) => (
        <Neighbours key={related.reference.label} related={related} self={{ queue, jobId: envelope.jobId }} />
      ))}
    </div>
  );
}

/** The id comes first: a job that was moved to another queue keeps it. */
function useReferences({ envelope }: JobDetail): readonly JobReference[] {
  const { jobId, unique, idempotencyKey, correlationId } = envelope;
  const uniqueKey = unique?.key ?? null;
  return useMemo(
    () => [
      { label: 'Same id in other queues', value: jobId, by: 'lookup' },
      ...(uniqueKey === null
        ? []
        : [{ label: 'Same uniqueness key', value: uniqueKey, by: 'lookup' } as const]),
      ...(idempotencyKey === null
        ? []
        : [{ label: 'Same idempotency key', value: idempotencyKey, by: 'search' } as const]),
      ...(correlationId === null || correlationId === idempotencyKey
        ? []
        : [{ label: 'Same correlation id', value: correlationId, by: 'search' } as const]),
    ],
    [jobId, uniqueKey, idempotencyKey, correlationId],
  );
}

function Neighbours({ related, self }: { related: Related; self: { queue: string; jobId: string } }) {
  const { reference, pending, isPart, scanned, error } = related;
  const others = related.jobs.filter(({ queue, jobId }) => queue !== self.queue || jobId !== self.jobId);
  return (
    <section aria-label={reference.label}>
      <h3 className="text-faint text-xs">{reference.label}</h3>
      {error !== null && <p className="text-bad text-xs">{error}</p>}
      <ul className="max-h-48 overflow-y-auto">
        {others.map(({ queue, jobId, state, jobType }) => (
          <li key={`${queue}/${jobId}`} className="flex min-w-0 items-center gap-2 text-xs">
            <StateBadge state={state} plain />
            <Link
              href={links.job(queue, jobId)}
              title={`${jobType} in ${queue}: ${jobId}`}
              className="min-w-0 flex-1 truncate font-mono hover:underline"
            >
              {jobId}
            </Link>
            <span className="max-w-24 truncate text-faint">{queue}</span>
          </li>
        ))}
      </ul>
      <p className="text-faint text-xs">
        {pending
          ? `Looking… ${scanned > 0 ? `${fullNumber(scanned)} jobs read` : ''}`
          : isPart
            ? `More may exist: not every job was looked at${scanned > 0 ? `, but ${fullNumber(scanned)} were` : ''}.`
            : others.length === 0 && error === null && 'No other job found.'}
      </p>
    </section>
  );
}
