'use client';
import Link from 'next/link';
import { Callout } from '@/components/ui/callout';
import { links } from '@/lib/client/links';
import { useOverview } from '@/lib/client/use-overview';
import { count } from '@/lib/format/plural';

const NAMED = 5;

/** Queues whose ready jobs nobody will take. */
export function DesertedQueues() {
  const deserted = useOverview().data?.sums.deserted;
  if (!deserted || deserted.total === 0) return null;
  const { total, named } = deserted;
  const left = total - Math.min(NAMED, named.length);
  return (
    <Callout tone="warn" title="No worker listens">
      {named.slice(0, NAMED).map(({ queue, ready }, i) => (
        <span key={queue}>
          {i > 0 && ', '}
          <Link href={links.queue(queue, 'ready')} className="text-fg underline">
            {queue}
          </Link>{' '}
          has {count(ready, 'ready job')}
        </span>
      ))}
      {left > 0 && ` and ${count(left, 'more queue')}`}. Start a worker for {total === 1 ? 'it' : 'them'}.
    </Callout>
  );
}
