'use client';
import { Dot, Pause, Play } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { cn } from '@/components/ui/cn';
import { IconButton } from '@/components/ui/icon-button';
import { useHydrated } from '@/components/ui/now';
import { Panel } from '@/components/ui/panel';
import { STATE_LOOK } from '@/components/ui/state-badge';
import { links } from '@/lib/client/links';
import { useMovements } from '@/lib/client/live';
import { LAB_QUEUES } from '@/lib/contract/lab';
import type { Movement } from '@/lib/contract/live';
import { full } from '@/lib/format/number';
import { absoluteLocal } from '@/lib/format/time';
import { eventLook } from './movement-words';

const SHOWN = 60;

/** What happens to jobs, the latest on top. Can be held still to be read. */
export function Ticker() {
  const live = useMovements();
  const [held, setHeld] = useState<readonly Movement[] | null>(null);
  const hydrated = useHydrated();
  const shown = (held ?? live)
    .filter(({ queue }) => queue in LAB_QUEUES)
    .slice(-SHOWN)
    .reverse();
  return (
    <Panel
      title="Events"
      flush
      className="min-h-40 xl:flex-1"
      aside={
        <>
          {held ? 'held still' : 'live'}
          <IconButton
            size="sm"
            label={held ? 'Go on' : 'Hold still'}
            onClick={() => setHeld(held ? null : live)}
          >
            {held ? <Play aria-hidden /> : <Pause aria-hidden />}
          </IconButton>
        </>
      }
    >
      <section
        aria-label="Events"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        tabIndex={0}
        className="h-52 overflow-y-auto py-1 outline-offset-[-2px]"
      >
        {(!hydrated || shown.length === 0) && (
          <p className="px-3 py-6 text-center text-faint text-xs">Nothing moves.</p>
        )}
        <ol>{hydrated && shown.map((movement) => <Line key={movement.id} movement={movement} />)}</ol>
      </section>
    </Panel>
  );
}

function Line({ movement }: { movement: Movement }) {
  const { at, queue, event, count, jobIds } = movement;
  const { word, state } = eventLook(event);
  const look = state ? STATE_LOOK[state] : null;
  const Icon = look?.Icon ?? Dot;
  const alarm = event === 'reclaimed' || event === 'dead';
  const first = jobIds[0];
  return (
    <li className="grid h-5 grid-cols-[3.5rem_minmax(0,1fr)_auto] items-center gap-1.5 px-3 text-xs">
      <span className="text-2xs text-faint">{absoluteLocal(at).slice(11, 19)}</span>
      <span
        className={cn('flex min-w-0 items-center gap-1', alarm ? 'text-bad' : (look?.text ?? 'text-muted'))}
      >
        <Icon aria-hidden className="size-3 shrink-0" />
        <span className="truncate">
          {count !== 1 && `${full(count)} `}
          {word}
        </span>
      </span>
      {count === 1 && first ? (
        <Link
          href={links.job(queue, first)}
          prefetch={false}
          title={first}
          className="inline-flex min-h-6 items-center font-mono text-2xs text-faint hover:text-fg hover:underline"
        >
          {queue} {first.slice(-4)}
        </Link>
      ) : (
        <span className="text-2xs text-faint">{queue}</span>
      )}
    </li>
  );
}
