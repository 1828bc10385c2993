'use client';
import { useMemo } from 'react';
import { absoluteLocal, absoluteTime, isoDateTime, type Moment, relativeTime } from '@/lib/format/date-time';
import { coarseDuration } from '@/lib/format/duration';
import { cn } from '../cn';
import { useNow } from './clock-provider';
import { useTimeZone } from './time-zone-choice';

const SLOW = 15_000;

/** Ticks each second while young, seldom once old. */
function useAgeNow(at: Moment): number {
  const slow = useNow(SLOW);
  const young = Math.abs(slow - (at ?? 0)) < 90_000;
  return useNow(young ? 1_000 : SLOW);
}

/** The exact moment. */
function useTitle(at: Moment, zone?: string): string {
  const chosen = useTimeZone();
  return useMemo(() => absoluteTime(at, zone ?? chosen), [at, zone, chosen]);
}

/** "3 m ago", with the exact moment in the zone (the chosen one by default) and in UTC on hover. */
export function RelativeTime({ at, zone, className }: { at: Moment; zone?: string; className?: string }) {
  const now = useAgeNow(at);
  const title = useTitle(at, zone);
  const stamp = isoDateTime(at);
  if (stamp === undefined) return <span className={className}>–</span>;
  return (
    <time
      dateTime={stamp}
      title={title}
      className={cn('whitespace-nowrap', className)}
      suppressHydrationWarning
    >
      {relativeTime(at, now)}
    </time>
  );
}

/** How old the data on show is: "as of 2 s ago", and "stale: 12 s ago" once it is older than `staleAfterMs`: no wider, so nothing wraps. */
export function DataAge({ at, staleAfterMs }: { at: Moment; staleAfterMs: number }) {
  const now = useAgeNow(at);
  const title = useTitle(at);
  const stamp = isoDateTime(at);
  if (stamp === undefined) return <span className="text-faint text-xs">no data yet</span>;
  const age = Math.max(0, now - (at as number));
  const stale = age > staleAfterMs;
  return (
    <span
      className={cn('whitespace-nowrap text-xs', stale ? 'font-medium text-warn' : 'text-faint')}
      suppressHydrationWarning
    >
      {stale ? 'stale: ' : ''}
      <time dateTime={stamp} title={title} suppressHydrationWarning>
        {age < 1_000 ? 'as of now' : `${stale ? '' : 'as of '}${coarseDuration(age)} ago`}
      </time>
    </span>
  );
}

/** "2026-11-20 14:08:16": sortable, in the chosen zone. The zone and UTC show on hover. */
export function AbsoluteTime({ at, className }: { at: Moment; className?: string }) {
  const zone = useTimeZone();
  const stamp = isoDateTime(at);
  if (stamp === undefined) return <span className={className}>–</span>;
  return (
    <time
      translate="no"
      dateTime={stamp}
      title={absoluteTime(at, zone)}
      className={cn('whitespace-nowrap', className)}
      suppressHydrationWarning
    >
      {absoluteLocal(at, zone).slice(0, 19)}
    </time>
  );
}
