'use client';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useState } from 'react';
import { cn } from '@/components/ui/cn';
import { Button } from '@/components/ui/controls/button';
import { ArrowDownToLine, CirclePause } from '@/components/ui/icons';
import { lazyPart } from '@/components/ui/lazy-part';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { useMe } from '@/lib/browser/access/use-me';
import { seesWholeQueues, usePermits } from '@/lib/browser/access/use-permissions';
import { links } from '@/lib/browser/links';
import { useOverview } from '@/lib/browser/live/use-overview';
import { pauseScopeLabel } from '@/lib/browser/queues/pause-scope';
import type { QueuePause } from '@/lib/contract/queues/pause-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { fullNumber } from '@/lib/format/number';

/** Most pages have no pause to show. Its room is kept. */
const ResumeButton = lazyPart(
  () => import('@/components/shared/pause/resume-button').then((module) => module.ResumeButton),
  <span className="block h-6 w-21" />,
);
const DrainNote = lazyPart(() => import('./drain-note').then((module) => module.DrainNote));
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

/** The queue whose page is open: that page shows its own pauses. Null also for users who see a part of it, whose page shows none. */
function useOpenQueue(): string | null {
  const path = usePathname();
  const may = usePermits();
  const name = /^\/queues\/([^/]+)$/.exec(path)?.[1];
  return name !== undefined && may('view', name) ? name : null;
}

/** All pauses and draining queues, on every page that does not show them itself. */
export function PauseBanner() {
  const sums = useOverview().data?.sums;
  const [all, setAll] = useState(false);
  const open = useOpenQueue();
  const isListed = useIsListed(sums?.pauses.total ?? 0, sums?.draining.total ?? 0);
  const pauses = (sums?.pauses.named ?? []).filter(({ queue }) => queue !== open);
  const draining = (sums?.draining.named ?? []).filter((queue) => queue !== open);
  const shownPauses = all ? pauses : pauses.slice(0, SHOWN);
  const shownDraining = all ? draining : draining.slice(0, Math.max(0, SHOWN - pauses.length));
  const unnamed =
    (sums?.pauses.total ?? 0) +
    (sums?.draining.total ?? 0) -
    (sums?.pauses.named.length ?? 0) -
    (sums?.draining.named.length ?? 0);
  const total = pauses.length + draining.length + unnamed;
  if (total === 0 || isListed) return null;
  return (
    <section
      aria-label={draining.length === 0 ? 'Pauses' : pauses.length === 0 ? 'Draining' : 'Pauses and draining'}
      className={cn(
        'flex items-start gap-2 border-b px-4 py-1 text-sm max-sm:px-3',
        pauses.length > 0 ? 'border-state-held/35 bg-state-held/8' : 'border-warn/35 bg-soft-warn',
      )}
    >
      <ul className="min-w-0 flex-1">
        {shownPauses.map((pause) => (
          <Line
            key={`${pause.queue} ${pause.scope}`}
            icon={<CirclePause aria-hidden className="text-state-held" />}
            action={<ResumeButton queue={pause.queue} scope={pause.scope} />}
          >
            <PauseWords pause={pause} />
          </Line>
        ))}
        {shownDraining.map((queue) => (
          <Line key={queue} icon={<ArrowDownToLine aria-hidden className="text-warn" />}>
            <DrainWords queue={queue} />
          </Line>
        ))}
        {all && unnamed > 0 && (
          <li className="pl-6 text-muted leading-7">and {fullNumber(unnamed)} more, not listed here</li>
        )}
      </ul>
      {total > SHOWN && (
        <Button size="sm" variant="ghost" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Show fewer' : `${fullNumber(total - SHOWN)} more`}
        </Button>
      )}
    </section>
  );
}

function Line({
  icon,
  action,
  children,
}: {
  icon: React.ReactNode;
  action?: React.ReactNode;
  children: React.ReactNode;
}) {
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

function PauseWords({ pause }: { pause: QueuePause }) {
  return (
    <>
      <QueueName queue={pause.queue} />: {pauseScopeLabel(pause.scope)} paused
      <span className="max-sm:hidden">
        {' '}
        by <span className="text-fg">{revealHidden(pause.actor)}</span> <RelativeTime at={pause.since} />
      </span>
      , <span className="text-fg">“{revealHidden(pause.reason)}”</span>.{' '}
      <span className={cn(pause.until === null && 'max-sm:hidden')}>
        <PauseEnd until={pause.until} />
      </span>
    </>
  );
}

function DrainWords({ queue }: { queue: string }) {
  return (
    <>
      <QueueName queue={queue} />: draining, refuses new jobs
      <DrainNote queue={queue} />. Until stopped manually.
    </>
  );
}

/** When a pause ends. */
export function PauseEnd({ until }: { until: number | null }) {
  if (until === null) return 'Until resumed manually.';
  return (
    <>
      Resumes automatically <RelativeTime at={until} />.
    </>
  );
}
