'use client';
import { useNow } from '@/components/ui/now';
import { absolute, absoluteLocal, iso, relative } from '@/lib/format/time';

/** "in 3 m", with the moment in the schedule's own zone and in UTC on hover. */
export function SlotTime({
  at,
  zone,
  className,
}: {
  at: number | null;
  zone: string | undefined;
  className?: string;
}) {
  const now = useNow(1_000);
  if (at === null) return <span className={className}>–</span>;
  return (
    <time dateTime={iso(at)} title={absolute(at, zone)} className={className} suppressHydrationWarning>
      {relative(at, now)}
    </time>
  );
}

const weekdays = new Map<string, Intl.DateTimeFormat>();
function weekday(at: number, zone: string | undefined): string {
  const made =
    weekdays.get(zone ?? '') ?? new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: zone });
  weekdays.set(zone ?? '', made);
  return made.format(at);
}

/** "Mon 2026-03-30 02:30:00 GMT+2". */
export const slotWords = (at: number, zone: string | undefined): string =>
  `${weekday(at, zone)} ${absoluteLocal(at, zone)}`;
