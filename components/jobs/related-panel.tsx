'use client';
import Link from 'next/link';
import { useMemo } from 'react';
import { StateBadge } from '@/components/shared/state-badge';
import { Button } from '@/components/ui/controls/button';
import { KeyValue, type KeyValueItem } from '@/components/ui/key-value';
import { Panel } from '@/components/ui/panel';
import { type JobReference, type RelatedJobs, useRelatedJobs } from '@/lib/browser/jobs/use-related-jobs';
import { links } from '@/lib/browser/links';
import { useGroup } from '@/lib/browser/search/use-dead-letters';
import type { JobDetail } from '@/lib/contract/jobs/job-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { fullNumber } from '@/lib/format/number';
import { plural } from '@/lib/format/plural';

/** What belongs to the job: similar failures, its operation, and jobs with the same references. */
export function RelatedPanel({ job }: { job: JobDetail }) {
  const { group, operation, queue, envelope } = job;
  const { jobId } = envelope;
  const references = useReferences(job);
  const { found, find } = useRelatedJobs(references);
  const items: KeyValueItem[] = [];
  if (group !== null) items.push({ label: 'Similar failures', value: <SimilarFailures group={group} /> });
  if (operation !== null)
    items.push({
      label: 'Operation',
      value: (
        <Link href={links.operation(operation)} className="text-accent hover:underline">
          {operation}
        </Link>
      ),
      mono: true,
    });
  return (
    <Panel title="Related">
      {items.length > 0 && <KeyValue items={items} />}
      {found === null ? (
        <Button size="sm" className={items.length > 0 ? 'mt-2' : undefined} onClick={find}>
          Find related jobs
        </Button>
      ) : (
        <div className="mt-2 grid gap-2" aria-live="polite">
          {found.map((related) => (
            <Neighbours key={related.reference.label} related={related} self={{ queue, jobId }} />
          ))}
        </div>
      )}
    </Panel>
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

function SimilarFailures({ group }: { group: string }) {
  const { data } = useGroup(group);
  const size = data ? `${fullNumber(data.count)} ${plural(data.count, 'dead letter')}` : 'failure group';
  return (
    <Link href={links.dead(`group:${group}`)} className="text-accent hover:underline">
      {data?.name ? `${revealHidden(data.name)}: ${size}` : size}
    </Link>
  );
}

function Neighbours({ related, self }: { related: RelatedJobs; self: { queue: string; jobId: string } }) {
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
            ? `More may exist: the search stopped at its budget${scanned > 0 ? `, after ${fullNumber(scanned)} jobs` : ''}.`
            : others.length === 0 && error === null && 'No other job.'}
      </p>
    </section>
  );
}
