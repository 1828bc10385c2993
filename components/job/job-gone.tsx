import { Ghost } from 'lucide-react';
import Link from 'next/link';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { links } from '@/lib/client/links';

/** The look of a job that is not there, or no longer. */
export function JobGone({ queue, seen, message }: { queue: string; seen: boolean; message: string }) {
  return (
    <EmptyState
      icon={<Ghost />}
      title={seen ? 'This job is gone since you opened it' : 'This job is not here'}
      action={
        <Button asChild>
          <Link href={links.queue(queue, 'completed')}>Completed jobs of {queue}</Link>
        </Button>
      }
    >
      <p>{message}</p>
      <p className="mt-1">
        Completed jobs are kept for a capped history, so it may have been trimmed; it may also have been
        deleted by a person, or its address may be mistyped.
      </p>
    </EmptyState>
  );
}
