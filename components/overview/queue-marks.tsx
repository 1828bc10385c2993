/** Badges beside a queue's name, with the reason on hover and focus. */

import { fullness, isPartial } from '@/components/shared/queue-state';
import { cn } from '@/components/ui/cn';
import { ArrowDownToLine, CirclePause, Gauge, Unplug } from '@/components/ui/icons';
import { Tooltip } from '@/components/ui/overlays/tooltip';
import { pauseScopeLabel, queuePause } from '@/lib/browser/queues/pause-scope';
import type { QueueRow } from '@/lib/contract/queues/queue-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { fullNumber, percent } from '@/lib/format/number';
import { count, plural } from '@/lib/format/plural';

/** What stops or limits the queue, the most serious first. */
export function QueueMarks({ queue }: { queue: QueueRow }) {
  return (
    <>
      <PartialMark queue={queue} />
      <FullMark queue={queue} />
      <DrainingMark queue={queue} />
      <PausedMark queue={queue} />
    </>
  );
}

function QueueMark({
  word,
  wordHidden,
  why,
  tone,
  icon,
}: {
  word: string;
  /** Shows only the icon on narrow screens; screen readers still get the word. */
  wordHidden?: 'always' | 'narrow';
  why: string;
  tone: string;
  icon: React.ReactNode;
}) {
  return (
    <Tooltip content={why}>
      <button
        type="button"
        className={cn(
          'inline-flex h-5 shrink-0 cursor-help items-center gap-1 rounded-sm px-1.5 font-medium text-xs [&_svg]:size-3',
          tone,
        )}
      >
        {icon}
        <span
          className={cn(wordHidden === 'always' && 'sr-only', wordHidden === 'narrow' && 'max-2xl:sr-only')}
        >
          {word}
        </span>
        <span className="sr-only">. {why.replaceAll('\n', '. ')}</span>
      </button>
    </Tooltip>
  );
}

function PausedMark({ queue: { pauses } }: { queue: QueueRow }) {
  if (pauses.length === 0) return null;
  const whole = queuePause(pauses) !== null;
  return (
    <QueueMark
      word={whole ? 'paused' : 'partly paused'}
      wordHidden={whole ? 'narrow' : 'always'}
      why={pauses
        .map(
          (pause) =>
            `${pauseScopeLabel(pause.scope)}: ${revealHidden(pause.reason)} (${revealHidden(pause.actor)})`,
        )
        .join('\n')}
      tone="bg-state-held/11 text-state-held"
      icon={<CirclePause aria-hidden />}
    />
  );
}

function DrainingMark({ queue }: { queue: QueueRow }) {
  if (!queue.draining) return null;
  return (
    <QueueMark
      word="draining"
      wordHidden="narrow"
      why={`Rejects new jobs; ${count(queue.depth.jobs + queue.counts['in-flight'], 'job')} left to finish`}
      tone="bg-warn/11 text-warn"
      icon={<ArrowDownToLine aria-hidden />}
    />
  );
}

function FullMark({ queue }: { queue: QueueRow }) {
  const share = fullness(queue);
  if (share === null) return null;
  const { jobs, limit } = queue.depth;
  return (
    <QueueMark
      word={share >= 1 ? 'full' : `${percent(Math.floor(share * 100) / 100)} full`}
      why={`${fullNumber(jobs)} of max. ${fullNumber(limit)} jobs${share >= 1 ? ': new jobs are rejected' : ''}`}
      tone={share >= 1 ? 'bg-bad/11 text-bad' : 'bg-warn/11 text-warn'}
      icon={<Gauge aria-hidden />}
    />
  );
}

function PartialMark({ queue }: { queue: QueueRow }) {
  if (!isPartial(queue)) return null;
  const { count: shards, unavailable } = queue.shards;
  return (
    <QueueMark
      word="partial"
      why={`${plural(unavailable.length, 'Shard', 'Shards')} ${unavailable.join(', ')} of ${shards} cannot be reached: not counted`}
      tone="bg-bad/11 text-bad"
      icon={<Unplug aria-hidden />}
    />
  );
}
