'use client';
import Link from 'next/link';
import { useState } from 'react';
import { STATE_LOOK } from '@/components/shared/state-badge';
import { cn } from '@/components/ui/cn';
import { IconButton } from '@/components/ui/controls/icon-button';
import { Dot, Pause, Play } from '@/components/ui/icons';
import { Panel } from '@/components/ui/panel';
import { useHydrated } from '@/components/ui/text/clock-provider';
import { useTimeZone } from '@/components/ui/text/time-zone-choice';
import { links } from '@/lib/browser/links';
import type { Movement } from '@/lib/contract/lab/lab-schemas';
import { absoluteLocal } from '@/lib/format/date-time';
import { fullNumber } from '@/lib/format/number';
import { eventLook } from './labels';
import { useLabEvents } from './use-lab';

const SHOWN = 60;

/** Job events, newest first. Can be paused. */
export function EventTicker() {
  const live = useLabEvents();
  const [held, setHeld] = useState<readonly Movement[] | null>(null);
  const hydrated = useHydrated();
  const shown = (held ?? live).slice(-SHOWN).reverse();
  return (
    <Panel
      title="Events"
      flush
      className="min-h-62 xl:flex-1"
      aside={
        <>
          {held ? 'paused' : 'live'}
          <IconButton size="sm" label={held ? 'Resume' : 'Pause'} onClick={() => setHeld(held ? null : live)}>
            {held ? <Play aria-hidden /> : <Pause aria-hidden />}
          </IconButton>
        </>
      }
    >
      <section
        aria-label="Events"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        tabIndex={0}
        className="h-52 overflow-y-auto min-[88rem]:h-0 min-[88rem]:min-h-full py-1 outline-offset-[-2px]"
      >
        {(!hydrated || shown.length === 0) && (
          <p className="px-3 py-6 text-center text-faint text-xs">No events.</p>
        )}
        <ol>
          {hydrated &&
            // By position: lines that move would shift the layout with each event.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            shown.map((movement, place) => <Line key={place} movement={movement} />)}
        </ol>
      </section>
    </Panel>
  );
}

function Line({ movement }: { movement: Movement }) {
  const { at, queue, event, count, jobIds } = movement;
  const zone = useTimeZone();
  const { word, state } = eventLook(event);
  const look = state ? STATE_LOOK[state] : null;
  const Icon = look?.Icon ?? Dot;
  const alarm = event === 'reclaimed' || event === 'dead';
  const first = jobIds[0];
  return (
    <li className="grid h-6 grid-cols-[3.5rem_minmax(0,1fr)_6rem] items-center gap-1.5 px-3 text-xs">
      <span className="text-2xs text-faint">{absoluteLocal(at, zone).slice(11, 19)}</span>
      <span
        className={cn('flex min-w-0 items-center gap-1', alarm ? 'text-bad' : (look?.text ?? 'text-muted'))}
      >
        <Icon aria-hidden className="size-3 shrink-0" />
        <span className="truncate">
          {count !== 1 && `${fullNumber(count)} `}
          {word}
        </span>
      </span>
      {count === 1 && first ? (
        <Link
          href={links.job(queue, first)}
          prefetch={false}
          title={first}
          className="inline-flex min-h-6 min-w-0 items-center truncate font-mono text-2xs text-faint hover:text-fg hover:underline"
        >
          {queue} {first.slice(-4)}
        </Link>
      ) : (
        <span className="truncate text-2xs text-faint">{queue}</span>
      )}
    </li>
  );
}
