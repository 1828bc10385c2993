'use client';
import Link from 'next/link';
import { type ReactNode, useState } from 'react';
import { ResumeButton } from '@/components/shared/pause/resume-button';
import { cn } from '@/components/ui/cn';
import { Button } from '@/components/ui/controls/button';
import { ArrowDownToLine, CirclePause } from '@/components/ui/icons';
import { lazyPart } from '@/components/ui/lazy-part';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { useOffer } from '@/lib/browser/access/use-permissions';
import { links } from '@/lib/browser/links';
import { pauseScopeLabel } from '@/lib/browser/queues/pause-scope';
import type { QueuePause } from '@/lib/contract/queues/pause-schemas';
import type { QueueNumbers } from '@/lib/contract/queues/queue-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { count } from '@/lib/format/plural';
import { DrainNote } from './drain-note';

const DrainDialog = lazyPart(() => import('./drain-dialog').then((module) => module.DrainDialog));

/** A pause in one line: queue, scope, user, reason and end. `isOver`: it ended while the pointer was on the list. */
export function PauseLine({ pause, isOver }: { pause: QueuePause; isOver: boolean }) {
  return (
    <Line
      icon={<CirclePause aria-hidden className={isOver ? 'text-faint' : 'text-state-held'} />}
      action={isOver ? null : <ResumeButton queue={pause.queue} pause={pause} />}
    >
      <QueueName queue={pause.queue} />: {pauseScopeLabel(pause.scope)} {isOver ? 'resumed' : 'paused'}
      {!isOver && (
        <>
          <span className="max-sm:hidden">
            {' '}
            by <span className="text-fg">{revealHidden(pause.actor)}</span> <RelativeTime at={pause.since} />
          </span>
          , <span className="text-fg">“{revealHidden(pause.reason)}”</span>.{' '}
          <span className={cn(pause.until === null && 'max-sm:hidden')}>
            <PauseEnd until={pause.until} />
          </span>
        </>
      )}
    </Line>
  );
}

function PauseEnd({ until }: { until: number | null }) {
  if (until === null) return 'Until resumed manually.';
  return (
    <>
      Resumes automatically <RelativeTime at={until} />.
    </>
  );
}

/** A queue that drains. `queue`: its numbers, where its page is open. */
export function DrainLine({ name, queue }: { name: string; queue: QueueNumbers | null }) {
  // Jobs of a shard that is away are not counted.
  const isWhole = queue !== null && queue.shards.unavailable.length === 0;
  const left = isWhole ? queue.depth.jobs + queue.counts['in-flight'] : null;
  return (
    <Line
      icon={<ArrowDownToLine aria-hidden className="text-warn" />}
      action={queue && <StopDraining queue={queue} />}
    >
      <QueueName queue={name} />: draining, refuses new jobs
      {left !== null && (left === 0 ? ', no jobs left' : `, ${count(left, 'job')} left`)}
      <DrainNote queue={name} />. Until stopped manually.
    </Line>
  );
}

function StopDraining({ queue }: { queue: QueueNumbers }) {
  const [open, setOpen] = useState(false);
  const operate = useOffer('operate', queue.queue);
  return (
    <>
      {operate.shown && (
        <Button size="sm" blocked={operate.missing} onClick={() => setOpen(true)}>
          Stop draining…
        </Button>
      )}
      {open && <DrainDialog queue={queue} onClose={() => setOpen(false)} />}
    </>
  );
}

function Line({ icon, action, children }: { icon: ReactNode; action: ReactNode; children: ReactNode }) {
  return (
    <li className="flex min-h-7 items-center gap-2 py-0.5 text-muted">
      <span className="shrink-0 [&_svg]:size-4">{icon}</span>
      <span className="line-clamp-2 min-w-0 [overflow-wrap:anywhere] max-sm:line-clamp-3 max-sm:flex-1">
        {children}
      </span>
      {action && <span className="shrink-0 sm:ml-1">{action}</span>}
    </li>
  );
}

function QueueName({ queue }: { queue: string }) {
  return (
    <Link href={links.queue(queue)} className="font-medium text-fg hover:underline">
      {queue}
    </Link>
  );
}
