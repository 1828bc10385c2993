import type { ReactNode } from 'react';
import { cn } from '@/components/ui/cn';
import {
  ArrowRightLeft,
  ArrowUpToLine,
  CalendarClock,
  Check,
  EyeOff,
  HeartCrack,
  type Icon,
  PencilLine,
  Plus,
  RotateCcw,
  Skull,
  Trash2,
  TriangleAlert,
  Undo2,
  Zap,
} from '@/components/ui/icons';
import { Panel } from '@/components/ui/panel';
import { CountdownRing } from '@/components/ui/ring';
import { Duration } from '@/components/ui/text/number';
import { RelativeTime } from '@/components/ui/text/relative-time';
import type { HistoryEntry, HistoryKind, JobDetail } from '@/lib/contract/jobs/job-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { FailureDetails } from './error-panel';
import { type TimelineItem, timelineItems } from './timeline-items';

/** The broker keeps this many entries a job and drops the oldest. */
const HISTORY_KEPT = 20;

export function JobTimeline({ job }: { job: JobDetail }) {
  const items = timelineItems(job);
  return (
    <Panel title="Timeline" aside="latest first">
      <ol className="relative space-y-3 before:absolute before:top-2 before:bottom-2 before:left-2.5 before:w-px before:bg-line">
        {items.map((item, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: two entries may have one time; counted from the end, the position of an entry never changes.
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
        <p className="mt-3 text-faint text-xs">Only the last {job.history.length} entries are kept.</p>
      )}
    </Panel>
  );
}

const HISTORY_LOOK: Readonly<Record<HistoryKind, { Icon: Icon; tone: string; words: string }>> = {
  failed: { Icon: TriangleAlert, tone: 'text-state-retry', words: 'Failed' },
  dead: { Icon: Skull, tone: 'text-state-dead', words: 'Died' },
  lost: { Icon: HeartCrack, tone: 'text-bad', words: 'Lease lost' },
  released: { Icon: Undo2, tone: 'text-muted', words: 'Released' },
  redriven: { Icon: RotateCcw, tone: 'text-accent', words: 'Re-driven' },
  promoted: { Icon: ArrowUpToLine, tone: 'text-accent', words: 'Promoted' },
  suppressed: { Icon: EyeOff, tone: 'text-state-suppressed', words: 'Suppressed' },
  purged: { Icon: Trash2, tone: 'text-state-trashed', words: 'Purged' },
  restored: { Icon: Undo2, tone: 'text-accent', words: 'Restored' },
  edited: { Icon: PencilLine, tone: 'text-accent', words: 'Edited and re-driven' },
  moved: { Icon: ArrowRightLeft, tone: 'text-accent', words: 'Moved here' },
  recalled: { Icon: Undo2, tone: 'text-state-dead', words: 'Re-drive recalled' },
  rescheduled: { Icon: CalendarClock, tone: 'text-accent', words: 'Rescheduled' },
};

/** Icon and text of a history entry: two cells of the timeline's grid. */
function TimelineEntry({ item }: { item: TimelineItem }) {
  switch (item.kind) {
    case 'created':
      return <Entry Icon={Plus} tone="text-muted" title="Enqueued" />;
    case 'claimed':
      return (
        <Entry Icon={Zap} tone="text-state-in-flight" title="Claimed">
          by <Mono>{item.worker}</Mono>
          <CountdownRing
            until={item.leaseUntil}
            totalMs={item.leaseUntil - item.at}
            size={20}
            className="ml-2 align-middle"
          />
        </Entry>
      );
    case 'completed':
      return (
        <Entry Icon={Check} tone="text-state-completed" title="Completed">
          on <Mono>{item.worker}</Mono> after <Duration ms={item.at - item.claimedAt} />
        </Entry>
      );
    case 'history':
      return <HistoryEntryView entry={item.entry} />;
  }
}

function HistoryEntryView({ entry }: { entry: HistoryEntry }) {
  const { Icon, tone, words } = HISTORY_LOOK[entry.kind];
  const failure = entry.errorCode !== null || entry.message !== null;
  return (
    <Entry
      Icon={Icon}
      tone={tone}
      title={entry.kind === 'dead' && entry.errorClass === 'cancelled' ? 'Cancelled' : words}
      below={
        <>
          {entry.reason && <p className="[overflow-wrap:anywhere]">“{revealHidden(entry.reason)}”</p>}
          {failure && <FailureDetails entry={entry} brief />}
        </>
      }
    >
      {entry.worker && (
        <>
          on <Mono>{entry.worker}</Mono>
        </>
      )}
      {entry.claimedAt !== null && entry.claimedAt > 0 && (
        <>
          {' '}
          after <Duration ms={entry.at - entry.claimedAt} />
        </>
      )}
      {entry.delivery > 0 && <span className="text-faint"> (delivery {entry.delivery})</span>}
      {entry.actor && <> by {revealHidden(entry.actor)}</>}
    </Entry>
  );
}

function Entry({
  Icon,
  tone,
  title,
  below,
  children,
}: {
  Icon: Icon;
  tone: string;
  title: string;
  below?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <>
      <span
        className={cn(
          'relative flex size-5 items-center justify-center rounded-full bg-panel ring-1 ring-line',
          tone,
        )}
      >
        <Icon aria-hidden className="size-3" />
      </span>
      <div className="min-w-0 space-y-1">
        <p>
          <span className={cn('font-medium', tone)}>{title}</span>{' '}
          <span className="text-muted">{children}</span>
        </p>
        {below}
      </div>
    </>
  );
}

const Mono = ({ children }: { children: string }) => (
  <span translate="no" className="font-mono text-fg text-xs [overflow-wrap:anywhere]">
    {children}
  </span>
);
