import Link from 'next/link';
import { Button } from '@/components/ui/controls/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Inbox } from '@/components/ui/icons';
import { links } from '@/lib/browser/links';

export function QueueNotFound({ queue }: { queue: string }) {
  return (
    <EmptyState
      icon={<Inbox />}
      title={`There is no queue called ${queue}`}
      action={
        <Button asChild>
          <Link href={links.overview()}>Go to the overview</Link>
        </Button>
      }
    >
      A queue is created by its first job. Check the spelling, or enqueue a job to create it.
    </EmptyState>
  );
}
