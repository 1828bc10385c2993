'use client';
import { CalendarClock } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Callout } from '@/components/ui/callout';
import { cn } from '@/components/ui/cn';
import { useNow } from '@/components/ui/now';
import type { ApiError } from '@/lib/client/api';
import { useSchedulePreview } from '@/lib/client/use-schedules';
import type { SchedulePreview, SchedulePreviewRequest, ScheduleTiming } from '@/lib/contract/schedules';
import { iso, relative } from '@/lib/format/time';
import { slotWords } from './slot-time';
import { clockChangeWords, whenWords, zoneOf } from './words';

const PAUSE_MS = 300;

/** What is typed, once the typing pauses. */
function useSettled<T>(value: T): T {
  const text = JSON.stringify(value);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return JSON.parse(settled) as T;
}

/** A form always says the zone. */
export type Asked = SchedulePreviewRequest & { timing: ScheduleTiming };

export interface Previewed {
  asked: Asked | null;
  data: SchedulePreview | undefined;
  error: ApiError | null;
}

/** The preview of what is in the form; the error belongs beside the field it names. */
export function usePreviewed(asked: Asked | null): Previewed {
  const settled = useSettled(asked);
  const { data, error } = useSchedulePreview(settled);
  return { asked: settled, data, error };
}

/** The next ten runs, as the clock of the schedule shows them, and what the next change of clocks does. */
export function SlotsPreview({ asked, data, error }: Previewed) {
  const now = useNow(1_000);
  const zone = asked ? zoneOf(asked.timing) : undefined;
  const words = asked ? whenWords(asked.timing) : null;
  const note = data && zone ? clockChangeWords(data, zone) : null;
  return (
    <section aria-label="Next runs" aria-live="polite" className="rounded border border-line bg-canvas">
      <p className="flex min-h-8 items-center gap-1.5 border-line border-b px-3 py-1 font-medium text-xs">
        <CalendarClock aria-hidden className="size-3.5 shrink-0 text-faint" />
        {words ?? 'Next runs'}
      </p>
      {data && !error ? (
        <ol className="grid gap-x-4 px-3 py-1.5 text-xs sm:grid-cols-2">
          {data.slots.map((slot, i) => (
            <li
              key={slot}
              className={cn('flex min-w-0 justify-between gap-2 py-0.5', i === 0 && 'font-medium')}
            >
              <time dateTime={iso(slot)} className="truncate" title={slotWords(slot, 'UTC')}>
                {slotWords(slot, zone)}
              </time>
              <span className="shrink-0 text-faint">{relative(slot, now)}</span>
            </li>
          ))}
        </ol>
      ) : (
        <p className="px-3 py-2 text-muted text-xs">
          {error ? error.detail : 'They are shown here as soon as there is enough to reckon with.'}
        </p>
      )}
      {note && !error && (
        <Callout tone="info" className="m-2 mt-0 text-xs">
          {note}
        </Callout>
      )}
    </section>
  );
}
