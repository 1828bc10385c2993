'use client';
import { usePathname } from 'next/navigation';
import { useRef, useState } from 'react';
import { useListHold, useWhileHeld } from '@/components/shared/use-list-hold';
import { cn } from '@/components/ui/cn';
import { Button } from '@/components/ui/controls/button';
import { lazyPart } from '@/components/ui/lazy-part';
import { pageActions } from '@/components/ui/page-actions';
import { useKeptRoom } from '@/components/ui/use-kept-room';
import { usePhone } from '@/components/ui/use-phone';
import { useMe } from '@/lib/browser/access/use-me';
import { seesWholeQueues, usePermits } from '@/lib/browser/access/use-permissions';
import { links } from '@/lib/browser/links';
import { useOverviewPart } from '@/lib/browser/live/use-overview';
import { useQueue } from '@/lib/browser/queues/use-queue';
import { ownPausesFirst } from '@/lib/contract/queues/pause-order';
import type { QueuePause } from '@/lib/contract/queues/pause-schemas';
import type { Overview, QueueNumbers } from '@/lib/contract/queues/queue-schemas';
import { fullNumber } from '@/lib/format/number';

/** Most pages have no pause to show. */
const PauseLine = lazyPart(() => import('./pause-lines').then((module) => module.PauseLine));
const DrainLine = lazyPart(() => import('./pause-lines').then((module) => module.DrainLine));
const SHOWN = 3;

/**
 * The overview has a single pause, and a single draining queue, among its findings, with reason and Resume. Several are one finding, which
 * has room for neither. Not for users who see parts of queues: their overview has none.
 */
function useIsListed(pauses: number, draining: number): boolean {
  const me = useMe().data;
  const isOverview = usePathname() === links.overview();
  return isOverview && pauses <= 1 && draining <= 1 && me !== undefined && seesWholeQueues(me);
}

/** The queue whose page, or a job's page, is open. Null also for users who see a part of it. */
function useOpenQueue(): string | null {
  const path = usePathname();
  const may = usePermits();
  const name = /^\/queues\/([^/]+)(?:\/jobs\/[^/]+)?$/.exec(path)?.[1];
  return name !== undefined && may('view', name) ? name : null;
}

/**
 * All pauses and draining queues, on every page, at its lower end: a pause that comes or ends moves nothing under the pointer. Those of the
 * open queue come first.
 */
export function PauseBanner() {
  const open = useOpenQueue();
  return open === null ? <PauseBar open={null} own={null} /> : <PauseBarOf queue={open} />;
}

function PauseBarOf({ queue }: { queue: string }) {
  return <PauseBar open={queue} own={useQueue(queue).data ?? null} />;
}

const keyOf = ({ queue, scope }: QueuePause): string => `${queue} ${scope}`;

const pausedOf = ({ sums: { pauses, draining } }: Overview) => ({ pauses, draining });

function PauseBar({ open, own }: { open: string | null; own: QueueNumbers | null }) {
  const sums = useOverviewPart(pausedOf);
  const isListed = useIsListed(sums?.pauses.total ?? 0, sums?.draining.total ?? 0);
  const named = sums?.pauses.named ?? [];
  const drained = sums?.draining.named ?? [];
  const isOther = (queue: string) => own === null || queue !== open;
  const pauses = ownPausesFirst(own, named);
  const draining = [...(own?.draining ? [own.queue] : []), ...drained.filter(isOther)];
  const total = Math.max(
    pauses.length + draining.length,
    (sums?.pauses.total ?? 0) + (sums?.draining.total ?? 0),
  );
  if (total === 0 || isListed) return null;
  return <PauseList pauses={pauses} draining={draining} total={total} own={own} />;
}

/** Mounted while there is something to show: its hold ends with it. */
function PauseList({
  pauses: current,
  draining,
  total,
  own,
}: {
  pauses: readonly QueuePause[];
  draining: readonly string[];
  total: number;
  own: QueueNumbers | null;
}) {
  const [all, setAll] = useState(false);
  const isPhone = usePhone() === true;
  const bar = useRef<HTMLElement>(null);
  const hold = useListHold();
  useKeptRoom(bar, '--pauses', true);
  // Under the hand a line keeps its place: the Resume of the next pause must not slide to where the pointer is.
  const kept = useWhileHeld(hold.held, current, own?.queue ?? '');
  const lasting = new Set(current.map(keyOf));
  const before = new Set(kept.map(keyOf));
  const pauses = [...kept, ...current.filter((pause) => !before.has(keyOf(pause)))];
  const shown = isPhone ? 1 : SHOWN;
  const size = Math.max(total, pauses.length + draining.length);
  const unnamed = size - pauses.length - draining.length;
  return (
    <section
      ref={bar}
      aria-label={draining.length === 0 ? 'Pauses' : pauses.length === 0 ? 'Draining' : 'Pauses and draining'}
      className="fixed inset-x-0 bottom-0 z-20 bg-panel max-md:bottom-[calc(3.3125rem+env(safe-area-inset-bottom))] md:left-13 lg:left-48"
      {...hold.handlers}
    >
      <div
        className={cn(
          'flex items-start gap-2 border-t px-4 py-1 text-sm max-sm:px-3',
          pauses.length > 0 ? 'border-state-held/35 bg-state-held/8' : 'border-warn/35 bg-soft-warn',
        )}
      >
        <ul {...pageActions} className={cn('min-w-0 flex-1', all && 'max-h-[40dvh] overflow-y-auto')}>
          {(all ? pauses : pauses.slice(0, shown)).map((pause) => (
            <PauseLine key={keyOf(pause)} pause={pause} isOver={!lasting.has(keyOf(pause))} />
          ))}
          {(all ? draining : draining.slice(0, Math.max(0, shown - pauses.length))).map((queue) => (
            <DrainLine key={queue} name={queue} queue={queue === own?.queue ? own : null} />
          ))}
          {all && unnamed > 0 && (
            <li className="pl-6 text-muted leading-7">and {fullNumber(unnamed)} more, not listed here</li>
          )}
        </ul>
        {size > shown && (
          <Button size="sm" variant="ghost" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Show fewer' : `${fullNumber(size - shown)} more`}
          </Button>
        )}
      </div>
    </section>
  );
}
