'use client';
import type { Route } from 'next';
import Link from 'next/link';
import { useState } from 'react';
import { ResumeButton } from '@/components/shared/pause/resume-button';
import { cn } from '@/components/ui/cn';
import { Button } from '@/components/ui/controls/button';
import { CircleAlert, TriangleAlert } from '@/components/ui/icons';
import { lazyPart } from '@/components/ui/lazy-part';
import { useTimeZone } from '@/components/ui/text/time-zone-choice';
import { useOffer } from '@/lib/browser/access/use-permissions';
import { links } from '@/lib/browser/links';
import { useOperationWizard } from '@/lib/browser/operation-wizard-context';
import { evidencePath } from '@/lib/contract/queues/evidence-path';
import type { QueuePause } from '@/lib/contract/queues/pause-schemas';
import type { QueueRow, Verdict } from '@/lib/contract/queues/queue-schemas';
import { absoluteLocal, isoDateTime } from '@/lib/format/date-time';
import { revealHidden } from '@/lib/format/display-text';

const PauseDialog = lazyPart(() =>
  import('../shared/pause/pause-dialog').then((module) => module.PauseDialog),
);

type Finding = Verdict['findings'][number];
const LOOKS = {
  warn: { Icon: TriangleAlert, text: 'text-warn', word: 'Warning: ' },
  bad: { Icon: CircleAlert, text: 'text-bad', word: 'Problem: ' },
} as const;

/** One incident: a sentence that leads to its evidence, and what the user may do about it. */
export function FindingLine({
  finding,
  isOver,
  isWhole,
  queues,
  pauses,
}: {
  finding: Finding;
  /** It ended a moment ago. */
  isOver: boolean;
  /** As many lines as the sentence takes; otherwise it keeps to its place and is cut. */
  isWhole: boolean;
  queues: readonly QueueRow[];
  pauses: readonly QueuePause[];
}) {
  const { Icon, text, word } = LOOKS[finding.level];
  const href = finding.evidence && evidencePath(finding.evidence);
  const sentence = useSentence(finding);
  const title = isWhole ? undefined : sentence;
  const look = cn(
    'min-w-0 leading-6 [overflow-wrap:anywhere]',
    !isWhole && 'max-sm:line-clamp-3 max-sm:text-xs max-sm:leading-4 sm:truncate',
  );
  return (
    <li
      data-finding={finding.id}
      className={cn('flex items-start gap-2', !isWhole && 'h-12 sm:h-6', isOver && 'text-muted')}
    >
      <Icon aria-hidden className={cn('mt-[5px] size-3.5 shrink-0', text, !isWhole && 'max-sm:mt-px')} />
      <span className="sr-only">{isOver ? 'Ended: ' : word}</span>
      <span className={cn('flex min-w-0 items-start gap-x-2', isWhole && 'flex-wrap')}>
        {href === null ? (
          <span className={look} title={title}>
            {sentence}
          </span>
        ) : (
          <Link
            href={href as Route}
            prefetch={false}
            title={title}
            className={cn(
              look,
              'underline decoration-line-strong underline-offset-2 hover:decoration-current',
            )}
          >
            {sentence}
          </Link>
        )}
        {finding.action === 'workers' && (
          <Link
            href={links.workers()}
            prefetch={false}
            className="shrink-0 text-accent leading-6 hover:underline"
          >
            Open workers
          </Link>
        )}
        {finding.action === 'pause' && !isOver && (
          <PauseAction queue={queues.find(({ queue }) => queue === finding.queue)} />
        )}
        {finding.code === 'PAUSED' && !isOver && (
          <ResumeAction pauses={pauses.filter(({ queue }) => queue === finding.queue)} />
        )}
        {finding.evidence?.page === 'dead' && finding.queue !== null && (
          <RedriveAction queue={finding.queue} q={finding.evidence.q} />
        )}
      </span>
    </li>
  );
}

function PauseAction({ queue }: { queue: QueueRow | undefined }) {
  const [open, setOpen] = useState(false);
  const { shown, missing } = useOffer('operate', queue?.queue);
  if (!queue || !shown || missing !== null) return null;
  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        className="shrink-0"
        aria-label={`Pause ${queue.queue}…`}
        onClick={() => setOpen(true)}
      >
        Pause…
      </Button>
      {open && <PauseDialog queue={queue} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Of a single pause. Several are resumed on the page of their queue. */
function ResumeAction({ pauses }: { pauses: readonly QueuePause[] }) {
  const [pause] = pauses;
  if (!pause || pauses.length > 1) return null;
  return <ResumeButton queue={pause.queue} scope={pause.scope} />;
}

/** Of one queue only: the evidence of several may hold dead letters of others, too. The wizard counts them before any moves. */
function RedriveAction({ queue, q }: { queue: string; q: string }) {
  const openWizard = useOperationWizard();
  const { shown, missing } = useOffer('operate', queue);
  if (!shown || missing !== null) return null;
  return (
    <Button
      size="sm"
      variant="ghost"
      className="shrink-0"
      aria-label={`Re-drive dead letters of ${queue}…`}
      onClick={() => openWizard({ kind: 'redrive', scope: { state: 'dead', q } })}
    >
      Re-drive…
    </Button>
  );
}

function useSentence({ sentence, at }: Finding): string {
  const zone = useTimeZone();
  const stamp = isoDateTime(at);
  return revealHidden(stamp === undefined ? sentence : sentence.replace(stamp, absoluteLocal(at, zone)));
}
