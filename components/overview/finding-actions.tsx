'use client';
import type { Route } from 'next';
import Link from 'next/link';
import { type ComponentType, useState } from 'react';
import { ResumeButton } from '@/components/shared/pause/resume-button';
import { ReclaimButton } from '@/components/shared/reclaim-button';
import { Button } from '@/components/ui/controls/button';
import { lazyPart } from '@/components/ui/lazy-part';
import { useOffer } from '@/lib/browser/access/use-permissions';
import { links } from '@/lib/browser/links';
import { useOperationWizard } from '@/lib/browser/operation-wizard-context';
import type { QueuePause } from '@/lib/contract/queues/pause-schemas';
import type { FindingAction, QueueRow, Verdict } from '@/lib/contract/queues/queue-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { count } from '@/lib/format/plural';

const PauseDialog = lazyPart(() =>
  import('../shared/pause/pause-dialog').then((module) => module.PauseDialog),
);

interface Props {
  finding: Verdict['findings'][number];
  queues: readonly QueueRow[];
  pauses: readonly QueuePause[];
}

const ACTIONS: Readonly<Record<FindingAction, ComponentType<Props>>> = {
  pause: PauseAction,
  resume: ResumeAction,
  redrive: RedriveAction,
  reclaim: ReclaimAction,
  drain: DrainAction,
  workers: () => <PageLink href={links.workers()}>Open workers</PageLink>,
  redis: () => <PageLink href={links.redis()}>Open Redis</PageLink>,
};
/** Those that still help when the finding ended a moment ago. */
const AFTERWARDS: ReadonlySet<FindingAction> = new Set(['redrive', 'workers', 'redis']);

/** What the user may do about a finding. @param isOver it ended a moment ago */
export function FindingActions({ isOver, ...props }: Props & { isOver: boolean }) {
  return props.finding.actions.map((action) => {
    const Action = ACTIONS[action];
    return isOver && !AFTERWARDS.has(action) ? null : <Action key={action} {...props} />;
  });
}

function PageLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href as Route} prefetch={false} className="shrink-0 text-accent leading-6 hover:underline">
      {children}
    </Link>
  );
}

function PauseAction({ finding, queues }: Props) {
  const { pause } = finding;
  const queue = queues.find((row) => row.queue === (pause?.queue ?? finding.queue));
  const [open, setOpen] = useState(false);
  const { shown, missing } = useOffer('operate', queue?.queue);
  if (!queue || !shown || missing !== null) return null;
  return (
    <>
      <Button
        size="sm"
        className="shrink-0"
        aria-label={`Pause ${pause ? `${pause.jobType} in ` : ''}${queue.queue}…`}
        onClick={() => setOpen(true)}
      >
        {pause ? `Pause ${revealHidden(pause.jobType)}…` : 'Pause…'}
      </Button>
      {open && (
        <PauseDialog
          queue={queue}
          target={pause && { kind: 'type', name: pause.jobType }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

/** Of a single pause. Several are resumed on the page of their queue. */
function ResumeAction({ finding, pauses }: Props) {
  const [pause, ...others] = pauses.filter(({ queue }) => queue === finding.queue);
  if (!pause || others.length > 0) return null;
  return <ResumeButton queue={pause.queue} pause={pause} />;
}

/** Of the dead letters of the named cause, or of all that are the evidence. The wizard counts them before any moves. */
function RedriveAction({ finding: { queue, queues, evidence, redriveQuery } }: Props) {
  const openWizard = useOperationWizard();
  const { shown, missing } = useOffer('operate', queue ?? undefined);
  if (evidence?.page !== 'dead' || !shown || missing !== null) return null;
  return (
    <Button
      size="sm"
      className="shrink-0"
      aria-label={`Re-drive dead letters of ${queue ?? count(queues.total, 'queue')}…`}
      onClick={() => openWizard({ kind: 'redrive', scope: { state: 'dead', q: redriveQuery ?? evidence.q } })}
    >
      Re-drive…
    </Button>
  );
}

function ReclaimAction({ finding: { queue } }: Props) {
  const { shown, missing } = useOffer('operate', queue ?? undefined);
  if (queue === null || !shown || missing !== null) return null;
  return (
    <ReclaimButton
      queue={queue}
      size="sm"
      className="shrink-0"
      aria-label={`Reclaim expired leases of ${queue}`}
    >
      Reclaim
    </ReclaimButton>
  );
}

function DrainAction({ finding: { queue } }: Props) {
  const { shown, missing } = useOffer('operate', queue ?? undefined);
  if (queue === null || !shown || missing !== null) return null;
  return <PageLink href={links.queueDrain(queue)}>Stop draining…</PageLink>;
}
