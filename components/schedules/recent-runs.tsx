import type { ListedSchedule } from '@/lib/contract/schedules/schedule-schemas';
import { absoluteLocal } from '@/lib/format/date-time';
import { RUN_LABELS, runsLabel, timingZone } from './labels';

/** A cell a run, the newest at the right. */
export function RecentRuns({ schedule: { recentRuns, timing } }: { schedule: ListedSchedule }) {
  if (recentRuns.length === 0) return <span className="text-faint">none yet</span>;
  return (
    <span className="inline-flex items-center gap-px align-middle">
      <span className="sr-only">
        Last {recentRuns.length}: {runsLabel(recentRuns.map(({ outcome }) => outcome).toReversed())}
      </span>
      {recentRuns.map(({ at, outcome }) => {
        const { word, sign, color } = RUN_LABELS[outcome];
        return (
          <span
            key={at}
            aria-hidden
            className={`flex h-4 w-2 shrink-0 items-center justify-center rounded-xs text-2xs text-panel leading-none ${color}`}
            title={`${absoluteLocal(at, timingZone(timing))}: ${word}`}
          >
            {sign}
          </span>
        );
      })}
    </span>
  );
}
