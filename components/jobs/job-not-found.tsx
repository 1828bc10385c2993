'use client';
import Link from 'next/link';
import { StateBadge } from '@/components/shared/state-badge';
import { Button } from '@/components/ui/controls/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Ghost } from '@/components/ui/icons';
import { links } from '@/lib/browser/links';
import { useJobLookup } from '@/lib/browser/search/use-find-jobs';

/** A job that is not in this queue. One that an operation moved is in another, and an old link still names the first. */
export function JobNotFound({
  queue,
  id,
  seen,
  message,
}: {
  queue: string;
  id: string;
  /** It was there when the page was opened. */
  seen: boolean;
  message: string;
}) {
  const found = useJobLookup(id).reply?.jobs ?? [];
  const elsewhere = found.filter((job) => job.jobId === id && job.queue !== queue);
  return (
    <EmptyState
      icon={<Ghost />}
      title={seen ? 'This job was removed after you opened it' : 'Job not found'}
      action={
        <Button asChild>
          <Link href={links.queue(queue, 'completed')}>Completed jobs of {queue}</Link>
        </Button>
      }
    >
      <p>{message}</p>
      {elsewhere.length > 0 ? (
        <ul aria-label="Jobs with this id" className="mt-1">
          {elsewhere.map((job) => (
            <li key={job.queue}>
              <Link href={links.job(job.queue, id)} className="text-accent hover:underline">
                A job with this id is in {job.queue}
              </Link>{' '}
              <StateBadge state={job.state} />
            </li>
          ))}
        </ul>
      ) : (
        <p className="mt-1">
          It may have expired from the history of completed jobs or been deleted, or the address may be
          mistyped.
        </p>
      )}
    </EmptyState>
  );
}
