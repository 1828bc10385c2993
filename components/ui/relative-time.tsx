'use client';
import { useMemo } from 'react';
import { coarse } from '@/lib/format/duration';
import { absolute, absoluteUtc, iso, type Moment, relative } from '@/lib/format/time';
import { cn } from './cn';
import { useHydrated, useNow } from './now';

const SLOW = 15_000;

/** Ticks each second while young, seldom once old. */
function useAgeNow(at: Moment, injected?: number): number {
  const slow = useNow(SLOW);
  const young = Math.abs(slow - (at ?? 0)) < 90_000;
  const live = useNow(young ? 1_000 : SLOW);
  return injected ?? live;
}

/** The exact moment. The server does not know the viewer's zone: until the browser has taken over, only UTC is true. */
function useTitle(at: Moment): string {
  const hydrated = useHydrated();
  return useMemo(() => (hydrated ? absolute(at) : absoluteUtc(at)), [at, hydrated]);
}

/** "3 m ago", with the exact moment in the viewer's zone and in UTC on hover. `now` stops the clock (for tests). */
export function RelativeTime({ at, now, className }: { at: Moment; now?: number; className?: string }) {
  const current = useAgeNow(at, now);
  const title = useTitle(at);
  const stamp = iso(at);
  if (stamp === undefined) return <span className={className}>–</span>;
  return (
    <time
      data-slot="relative-time"
      dateTime={stamp}
      title={title}
      className={cn('whitespace-nowrap', className)}
      suppressHydrationWarning
    >
      {relative(at, current)}
    </time>
  );
}

/** How old the data on show is: "as of 2 s ago", and a warning word once it is older than `staleAfterMs`. */
export function DataAge({
  at,
  now,
  staleAfterMs = 10_000,
  className,
}: {
  at: Moment;
  now?: number;
  staleAfterMs?: number;
  className?: string;
}) {
  const current = useAgeNow(at, now);
  const title = useTitle(at);
  const stamp = iso(at);
  if (stamp === undefined) return <span className={cn('text-faint text-xs', className)}>no data yet</span>;
  const age = Math.max(0, current - (at as number));
  const stale = age > staleAfterMs;
  return (
    <span
      data-slot="data-age"
      data-stale={stale || undefined}
      className={cn('whitespace-nowrap text-xs', stale ? 'font-medium text-warn' : 'text-faint', className)}
      suppressHydrationWarning
    >
      {stale ? 'stale: ' : ''}
      <time dateTime={stamp} title={title} suppressHydrationWarning>
        {age < 1_000 ? 'as of now' : `as of ${coarse(age)} ago`}
      </time>
    </span>
  );
}
