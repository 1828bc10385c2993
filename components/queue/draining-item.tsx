'use client';
import { ArrowDownToLine } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { RelativeTime } from '@/components/ui/relative-time';
import { useOffer } from '@/lib/client/permissions';
import { useQueueConfig } from '@/lib/client/use-config';
import type { QueueSnapshot } from '@/lib/contract/queue';
import { count } from '@/lib/format/plural';
import { visible } from '@/lib/format/text';
import { DrainDialog } from './drain-dialog';

/** That a queue drains, since when, by whom and why, and how much is left. */
export function DrainingItem({ queue }: { queue: QueueSnapshot }) {
  const [open, setOpen] = useState(false);
  const draining = useQueueConfig(queue.queue).data?.draining;
  const operate = useOffer('operate', queue.queue);
  const left = queue.depth.jobs + queue.counts['in-flight'];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3 py-1.5">
      <span className="flex min-w-44 items-center gap-1.5 font-medium text-warn">
        <ArrowDownToLine aria-hidden className="size-3.5 shrink-0" />
        Draining: {left === 0 ? 'nothing is left' : `${count(left, 'job')} left`}
      </span>
      <span className="min-w-40 flex-1 [overflow-wrap:anywhere]">
        {draining ? `“${visible(draining.reason)}”` : 'New jobs are refused.'}
      </span>
      {draining && (
        <span className="text-muted text-xs">
          {visible(draining.actor)}, <RelativeTime at={draining.since} />. Ends only by hand.
        </span>
      )}
      {operate.shown && (
        <Button size="sm" blocked={operate.missing} onClick={() => setOpen(true)}>
          Take jobs again…
        </Button>
      )}
      <DrainDialog queue={queue} open={open} onOpenChange={setOpen} />
    </li>
  );
}
