import {
  ArrowRightLeft,
  ArrowUpToLine,
  CalendarClock,
  Check,
  EyeOff,
  HeartCrack,
  type LucideIcon,
  PencilLine,
  Plus,
  RotateCcw,
  Skull,
  Trash2,
  TriangleAlert,
  Undo2,
  Zap,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '@/components/ui/cn';
import { CountdownRing } from '@/components/ui/ring';
import type { HistoryEntry, HistoryKind } from '@/lib/contract/job';
import { duration } from '@/lib/format/duration';
import { visible } from '@/lib/format/text';
import { Failure } from './error-panel';
import type { TimelineItem } from './timeline-items';

const HISTORY_LOOK: Readonly<Record<HistoryKind, { Icon: LucideIcon; tone: string; words: string }>> = {
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

/** The icon and the words of one thing that happened: two cells of the timeline's grid. */
export function TimelineEntry({ item }: { item: TimelineItem }) {
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
          on <Mono>{item.worker}</Mono> after {duration(item.at - item.claimedAt)}
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
          {entry.reason && <p className="[overflow-wrap:anywhere]">“{visible(entry.reason)}”</p>}
          {failure && <Failure entry={entry} brief />}
        </>
      }
    >
      {entry.worker && (
        <>
          on <Mono>{entry.worker}</Mono>
        </>
      )}
      {entry.claimedAt !== null && entry.claimedAt > 0 && <> after {duration(entry.at - entry.claimedAt)}</>}
      {entry.delivery > 0 && <span className="text-faint"> (delivery {entry.delivery})</span>}
      {entry.actor && <> by {visible(entry.actor)}</>}
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
  Icon: LucideIcon;
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
  <span className="font-mono text-fg text-xs [overflow-wrap:anywhere]">{children}</span>
);
