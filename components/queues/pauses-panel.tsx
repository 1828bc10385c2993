'use client';
import { useState } from 'react';
import { ResumeButton } from '@/components/shared/pause/resume-button';
import { Button } from '@/components/ui/controls/button';
import { ArrowDownToLine, CirclePause } from '@/components/ui/icons';
import { lazyPart } from '@/components/ui/lazy-part';
import { pageActions } from '@/components/ui/page-actions';
import { Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { useOffer } from '@/lib/browser/access/use-permissions';
import { pauseScopeLabel } from '@/lib/browser/queues/pause-scope';
import { useQueueConfig } from '@/lib/browser/queues/use-queue-config';
import type { Pause } from '@/lib/contract/queues/pause-schemas';
import type { QueueSnapshot } from '@/lib/contract/queues/queue-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { count } from '@/lib/format/plural';
import { PauseEnd } from './pause-banner';

const DrainDialog = lazyPart(() => import('./drain-dialog').then((module) => module.DrainDialog));

function titleOf({ draining, pauses }: QueueSnapshot): string {
  if (!draining) return 'Paused';
  return pauses.length > 0 ? 'Draining and paused' : 'Draining';
}

/** Pauses and draining: user, reason, since, until. The banner of the other pages leaves these out here. */
export function PausesPanel({ queue }: { queue: QueueSnapshot }) {
  return (
    <section aria-label="Pauses">
      <Panel title={titleOf(queue)} flush>
        <ul className="divide-y divide-line" {...pageActions}>
          {queue.draining && <DrainingItem queue={queue} />}
          {queue.pauses.map((pause) => (
            <PauseItem key={pause.scope} queue={queue.queue} pause={pause} />
          ))}
        </ul>
      </Panel>
    </section>
  );
}

function PauseItem({ queue, pause }: { queue: string; pause: Pause }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3 py-1.5">
      <span className="flex min-w-44 items-center gap-1.5 font-medium text-state-held">
        <CirclePause aria-hidden className="size-3.5 shrink-0" />
        <span className="min-w-0 break-words first-letter:uppercase">{pauseScopeLabel(pause.scope)}</span>
      </span>
      <span className="min-w-40 flex-1 [overflow-wrap:anywhere]">“{revealHidden(pause.reason)}”</span>
      <span className="text-muted text-xs">
        {revealHidden(pause.actor)}, <RelativeTime at={pause.since} />. <PauseEnd until={pause.until} />
      </span>
      <ResumeButton queue={queue} scope={pause.scope} />
    </li>
  );
}

/** Draining: jobs left, reason, user, since. */
function DrainingItem({ queue }: { queue: QueueSnapshot }) {
  const [open, setOpen] = useState(false);
  const draining = useQueueConfig(queue.queue).data?.draining;
  const operate = useOffer('operate', queue.queue);
  const left = queue.depth.jobs + queue.counts['in-flight'];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3 py-1.5">
      <span className="flex min-w-44 items-center gap-1.5 font-medium text-warn">
        <ArrowDownToLine aria-hidden className="size-3.5 shrink-0" />
        Draining: {left === 0 ? 'no jobs left' : `${count(left, 'job')} left`}
      </span>
      <span className="min-w-40 flex-1 [overflow-wrap:anywhere]">
        {draining ? `“${revealHidden(draining.reason)}”` : 'New jobs are rejected.'}
      </span>
      {draining && (
        <span className="text-muted text-xs">
          {revealHidden(draining.actor)}, <RelativeTime at={draining.since} />. Until stopped manually.
        </span>
      )}
      {operate.shown && (
        <Button size="sm" blocked={operate.missing} onClick={() => setOpen(true)}>
          Stop draining…
        </Button>
      )}
      {open && <DrainDialog queue={queue} onClose={() => setOpen(false)} />}
    </li>
  );
}
