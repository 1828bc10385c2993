'use client';
import Link from 'next/link';
import { Callout } from '@/components/ui/callout';
import { links } from '@/lib/client/links';
import { useOverview } from '@/lib/client/use-overview';
import { count } from '@/lib/format/plural';
import { deserted } from './summary';

const NAMED = 5;

/** Queues whose ready jobs nobody will take. */
export function DesertedQueues() {
  const overview = useOverview().data;
  const queues = overview ? deserted(overview.queues) : [];
  if (queues.length === 0) return null;
  return (
    <Callout tone="warn" title="No worker listens">
      {queues.slice(0, NAMED).map(({ queue, counts }, i) => (
        <span key={queue}>
          {i > 0 && ', '}
          <Link href={links.queue(queue, 'ready')} className="text-fg underline">
            {queue}
          </Link>{' '}
          has {count(counts.ready, 'ready job')}
        </span>
      ))}
      {queues.length > NAMED && ` and ${queues.length - NAMED} more queues`}. Start a worker for{' '}
      {queues.length === 1 ? 'it' : 'them'}.
    </Callout>
  );
}
