'use client';
import type { Route } from 'next';
import Link from 'next/link';
import { cn } from '@/components/ui/cn';
import { CircleAlert, TriangleAlert } from '@/components/ui/icons';
import { lazyPart } from '@/components/ui/lazy-part';
import { useTimeZone } from '@/components/ui/text/time-zone-choice';
import { evidencePath } from '@/lib/contract/queues/evidence-path';
import type { QueuePause } from '@/lib/contract/queues/pause-schemas';
import type { QueueRow, Verdict } from '@/lib/contract/queues/queue-schemas';
import { absoluteLocal, isoDateTime } from '@/lib/format/date-time';
import { revealHidden } from '@/lib/format/display-text';
import { linesOf, roomOf } from './held-findings';

const FindingActions = lazyPart(
  () => import('./finding-actions').then((module) => module.FindingActions),
  null,
  { soon: true },
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
  const lines = linesOf(finding);
  const look = cn(
    'min-w-0 leading-6 [overflow-wrap:anywhere]',
    !isWhole && 'max-sm:text-xs max-sm:leading-4 sm:truncate',
    // On a phone the actions stand below the sentence.
    !isWhole && (lines === 2 ? 'max-sm:line-clamp-2' : 'max-sm:line-clamp-3'),
  );
  return (
    <li
      data-finding={finding.id}
      className={cn('flex items-start gap-2', !isWhole && 'h-(--room) sm:h-6', isOver && 'text-muted')}
      style={isWhole ? undefined : ({ '--room': `${roomOf([finding])}rem` } as React.CSSProperties)}
    >
      <Icon aria-hidden className={cn('mt-[5px] size-3.5 shrink-0', text, !isWhole && 'max-sm:mt-px')} />
      <span className="sr-only">{isOver ? 'Ended: ' : word}</span>
      <span className={cn('flex min-w-0 flex-wrap items-start gap-x-2', !isWhole && 'sm:flex-nowrap')}>
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
        <span className={cn('flex shrink-0 items-start gap-x-2', !isWhole && 'max-sm:w-full')}>
          <FindingActions finding={finding} isOver={isOver} queues={queues} pauses={pauses} />
        </span>
      </span>
    </li>
  );
}

function useSentence({ sentence, at }: Finding): string {
  const zone = useTimeZone();
  const stamp = isoDateTime(at);
  return revealHidden(stamp === undefined ? sentence : sentence.replace(stamp, absoluteLocal(at, zone)));
}
