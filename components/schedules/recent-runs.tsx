import type { ListedSchedule } from '@/lib/contract/schedules/schedule-schemas';
import { absoluteLocal } from '@/lib/format/date-time';
import { RUN_LABELS, runsLabel, runTitle, timingZone } from './labels';

/** A cell a run, the newest at the right. Fire times that were skipped in a row are one cell with their number. */
export function RecentRuns({ schedule: { recentRuns, timing } }: { schedule: ListedSchedule }) {
  if (recentRuns.length === 0) return <span className="text-faint">none on record</span>;
  return (
    <span className="inline-flex max-w-full items-center justify-end gap-px overflow-hidden align-middle">
      <span className="sr-only">
        Last {recentRuns.length}: {runsLabel(recentRuns.toReversed())}
      </span>
      {recentRuns.map(({ at, outcome, count }) => {
        const { sign, color } = RUN_LABELS[outcome];
        return (
          <span
            key={at}
            aria-hidden
            className={`flex h-4 min-w-2 shrink-0 items-center justify-center rounded-xs text-2xs text-panel leading-none ${count > 1 ? 'px-0.5' : ''} ${color}`}
            title={`${absoluteLocal(at, timingZone(timing))}: ${runTitle({ outcome, count })}`}
          >
            {count > 1 ? count : sign}
          </span>
        );
      })}
    </span>
  );
}
