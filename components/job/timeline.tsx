import { Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/relative-time';
import type { JobDetail } from '@/lib/contract/job';
import { TimelineEntry } from './timeline-entry';
import { timelineItems } from './timeline-items';

/** The broker keeps this many entries a job and drops the oldest. */
const HISTORY_KEPT = 20;

export function Timeline({ job }: { job: JobDetail }) {
  const items = timelineItems(job);
  return (
    <Panel title="Timeline" aside="latest first">
      <ol className="relative space-y-3 before:absolute before:top-2 before:bottom-2 before:left-2.5 before:w-px before:bg-line">
        {items.map((item, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: two things may happen in one millisecond; counted from the end the place of each is for ever.
            key={items.length - index}
            className="relative grid grid-cols-[1.25rem_minmax(0,1fr)_auto] gap-x-2.5"
          >
            <TimelineEntry item={item} />
            <span className="text-right text-faint text-xs leading-5">
              <RelativeTime at={item.at} />
            </span>
          </li>
        ))}
      </ol>
      {job.history.length >= HISTORY_KEPT && (
        <p className="mt-3 text-faint text-xs">
          Only the last {job.history.length} entries are kept; older ones are gone.
        </p>
      )}
    </Panel>
  );
}
