'use client';
import { Callout } from '@/components/ui/callout';
import { cn } from '@/components/ui/cn';
import { CalendarClock } from '@/components/ui/icons';
import { useNow } from '@/components/ui/text/clock-provider';
import type { ApiError } from '@/lib/browser/api/api-client';
import { useDebounced } from '@/lib/browser/search/use-suggest';
import { useSchedulePreview } from '@/lib/browser/use-schedules';
import type {
  SchedulePreview,
  SchedulePreviewRequest,
  ScheduleTiming,
} from '@/lib/contract/schedules/schedule-schemas';
import { absoluteLocal, isoDateTime, relativeTime } from '@/lib/format/date-time';
import { clockChangeLabel, dayRuleLabel, timingLabel, timingZone } from './labels';

/** The preview is asked for once typing pauses. */
const PAUSE_MS = 300;

type FireTimePreviewInput = SchedulePreviewRequest & { timing: ScheduleTiming };

interface PreviewResult {
  asked: FireTimePreviewInput | null;
  data: SchedulePreview | undefined;
  error: ApiError | null;
}

/** The preview of the form's timing; its error is shown at the field. */
export function useFireTimePreview(asked: FireTimePreviewInput | null): PreviewResult {
  const settled: FireTimePreviewInput | null = JSON.parse(useDebounced(JSON.stringify(asked), PAUSE_MS));
  const { data, error } = useSchedulePreview(settled);
  return { asked: settled, data, error };
}

/** The next ten runs in the schedule's zone, and the effect of the next clock change. */
export function FireTimePreview({ asked, data, error }: PreviewResult) {
  const now = useNow(1_000);
  const zone = asked ? timingZone(asked.timing) : undefined;
  const words = asked ? timingLabel(asked.timing) : null;
  const note = data && zone ? clockChangeLabel(data, zone) : null;
  const dayRule = asked && 'cron' in asked.timing ? dayRuleLabel(asked.timing.cron) : null;
  return (
    <section aria-label="Next runs" aria-live="polite" className="rounded border border-line bg-canvas">
      <p className="flex min-h-8 items-center gap-1.5 border-line border-b px-3 py-1 font-medium text-xs">
        <CalendarClock aria-hidden className="size-3.5 shrink-0 text-faint" />
        {words ?? 'Next runs'}
      </p>
      {data && !error ? (
        <ol className="grid gap-x-4 px-3 py-1.5 text-xs sm:grid-cols-2">
          {data.fireTimes.map((fireTime, i) => (
            <li
              key={fireTime}
              className={cn('flex min-w-0 justify-between gap-2 py-0.5', i === 0 && 'font-medium')}
            >
              <time
                dateTime={isoDateTime(fireTime)}
                className="truncate"
                title={fireTimeLabel(fireTime, 'UTC')}
              >
                {fireTimeLabel(fireTime, zone)}
              </time>
              <span className="shrink-0 text-faint">{relativeTime(fireTime, now)}</span>
            </li>
          ))}
        </ol>
      ) : (
        <p className="px-3 py-2 text-muted text-xs">
          {error ? error.detail : 'Enter a complete timing to see the next runs.'}
        </p>
      )}
      {dayRule && !error && <Callout className="m-2 mt-0 text-xs">{dayRule}</Callout>}
      {note && !error && <Callout className="m-2 mt-0 text-xs">{note}</Callout>}
    </section>
  );
}

/** "Mon 2026-03-30 02:30:00 GMT+2". */
function fireTimeLabel(at: number, timeZone: string | undefined): string {
  const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone }).format(at);
  return `${weekday} ${absoluteLocal(at, timeZone)}`;
}
