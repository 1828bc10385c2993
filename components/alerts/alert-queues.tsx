import type { Route } from 'next';
import Link from 'next/link';
import { links } from '@/lib/browser/links';
import type { Alert } from '@/lib/contract/alerts/alert-schemas';
import { count } from '@/lib/format/plural';

const NAMED = 3;

/** The first queues of an alert as links, and how many more there are. */
export function AlertQueues({ queues: { total, named } }: Pick<Alert, 'queues'>) {
  const shown = named.slice(0, NAMED);
  return (
    <>
      {shown.map((queue) => (
        <Link
          key={queue}
          href={links.queue(queue) as Route}
          prefetch={false}
          className="max-w-full truncate rounded-xs leading-6 hover:underline"
        >
          {queue}
        </Link>
      ))}
      {total > shown.length && <span>and {count(total - shown.length, 'more queue')}</span>}
    </>
  );
}
