'use client';
import Link from 'next/link';
import { useState } from 'react';
import { cn } from '@/components/ui/cn';
import { Button } from '@/components/ui/controls/button';
import { CircleCheck, TriangleAlert } from '@/components/ui/icons';
import { links } from '@/lib/browser/links';
import { useOverview } from '@/lib/browser/live/use-overview';
import { revealHidden } from '@/lib/format/display-text';
import { count } from '@/lib/format/plural';
import type { WorkerAdvice } from './worker-groups';

const NAMED = 5;

/**
 * Queues with ready jobs and no worker, workers that crash, or that there are none. It has the same height in either case, since the whole page stands below
 * it: the list is cut until it is opened.
 */
export function UnservedQueues({ advice, alive }: { advice: WorkerAdvice; alive: number | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const overview = useOverview().data;
  const deserted = overview?.sums.deserted;
  const total = deserted?.total ?? 0;
  // Workers that crash and come back leave no queue without one, and all is not well.
  const crashes = overview?.verdict.findings.find(({ code }) => code === 'WORKERS_GONE');
  const isKnown = deserted !== undefined && alive !== undefined;
  // Old numbers, and queues that were not read yet, tell of trouble but not of its absence.
  const isWhole = overview?.fresh === true && overview.unread === 0;
  const isBad = isKnown && (total > 0 || alive === 0 || crashes !== undefined);
  const Icon = isBad ? TriangleAlert : CircleCheck;
  return (
    <section
      aria-label="Queues without workers"
      className={cn(
        'flex items-start gap-2 rounded border px-3 py-2 text-sm',
        isBad ? 'border-warn/35 bg-soft-warn' : 'border-line bg-panel text-muted',
      )}
    >
      {/* Without a sentence no sign. */}
      {(isBad || (isKnown && isWhole)) && (
        <Icon aria-hidden className={cn('mt-0.5 size-4 shrink-0', isBad ? 'text-warn' : 'text-good')} />
      )}
      <p
        className={cn(
          'min-w-0 flex-1 [overflow-wrap:anywhere]',
          !(isOpen && isBad) && 'line-clamp-3 h-[3lh] sm:line-clamp-1 sm:h-[1lh]',
        )}
      >
        {!isKnown ? null : !isBad ? (
          isWhole && 'Every queue with ready jobs has a worker or is paused.'
        ) : crashes && total === 0 && alive !== 0 ? (
          <>
            <span className="sr-only">Warning: </span>
            {revealHidden(crashes.sentence)}
          </>
        ) : (
          <>
            <span className="sr-only">Warning: </span>
            <span className="mr-2 font-medium">
              {alive === 0 ? 'No live workers.' : `${count(total, 'queue')} without workers.`}
            </span>
            {total > 0 && <Named deserted={deserted} isLinked={isOpen} />}
            <Advice advice={advice} queues={total} />
          </>
        )}
      </p>
      {/* Beside the text, where no end of a line cuts it off. */}
      {isKnown && total > 0 && (
        <Button
          size="sm"
          variant="ghost"
          className="-my-0.5"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Show less' : 'Show queues'}
        </Button>
      )}
    </section>
  );
}

type Deserted = NonNullable<ReturnType<typeof useOverview>['data']>['sums']['deserted'];

/** Links only where they cannot be cut off. */
function Named({ deserted: { total, named }, isLinked }: { deserted: Deserted; isLinked: boolean }) {
  const left = total - Math.min(NAMED, named.length);
  return (
    <>
      {named.slice(0, NAMED).map(({ queue, ready }, i) => (
        <span key={queue}>
          {i > 0 && ', '}
          {isLinked ? (
            <Link href={links.queue(queue, 'ready')} className="text-fg underline">
              {queue}
            </Link>
          ) : (
            queue
          )}{' '}
          has {count(ready, 'ready job')}
        </span>
      ))}
      {left > 0 && ` and ${count(left, 'more queue')}`}.{' '}
    </>
  );
}

/** What to do where no worker listens. */
function Advice({ advice, queues }: { advice: WorkerAdvice; queues: number }) {
  if (advice.kind === 'crashing')
    return `${count(advice.crashes, 'worker')} crashed in the last minute (latest ${advice.cause}). Find the cause before you start more.`;
  return queues === 0 ? 'Start a worker.' : `Start a worker for ${queues === 1 ? 'it' : 'them'}.`;
}
