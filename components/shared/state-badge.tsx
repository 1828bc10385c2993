import {
  CalendarClock,
  Check,
  CirclePause,
  EyeOff,
  type Icon,
  Inbox,
  RotateCw,
  Skull,
  Trash2,
  Zap,
} from '@/components/ui/icons';
import type { JobState } from '@/lib/contract/jobs/job-states';
import { cn } from '../ui/cn';

type Look = { label: string; Icon: Icon; text: string; soft: string };

/** One icon, one word and one color a state, everywhere. */
export const STATE_LOOK: Readonly<Record<JobState, Look>> = {
  ready: { label: 'Ready', Icon: Inbox, text: 'text-state-ready', soft: 'bg-state-ready/11' },
  'in-flight': {
    label: 'In-flight',
    Icon: Zap,
    text: 'text-state-in-flight',
    soft: 'bg-state-in-flight/11',
  },
  scheduled: {
    label: 'Scheduled',
    Icon: CalendarClock,
    text: 'text-state-scheduled',
    soft: 'bg-state-scheduled/11',
  },
  retry: { label: 'Retry', Icon: RotateCw, text: 'text-state-retry', soft: 'bg-state-retry/11' },
  completed: {
    label: 'Completed',
    Icon: Check,
    text: 'text-state-completed',
    soft: 'bg-state-completed/11',
  },
  dead: { label: 'Dead', Icon: Skull, text: 'text-state-dead', soft: 'bg-state-dead/11' },
  suppressed: {
    label: 'Suppressed',
    Icon: EyeOff,
    text: 'text-state-suppressed',
    soft: 'bg-state-suppressed/11',
  },
  trashed: { label: 'Trashed', Icon: Trash2, text: 'text-state-trashed', soft: 'bg-state-trashed/11' },
  held: { label: 'Held', Icon: CirclePause, text: 'text-state-held', soft: 'bg-state-held/11' },
};

/** `plain` drops the tint (for dense tables). */
export function StateBadge({ state, plain }: { state: JobState; plain?: boolean }) {
  const { label, Icon, text, soft } = STATE_LOOK[state];
  return (
    <span
      className={cn(
        'inline-flex h-5 items-center gap-1 whitespace-nowrap rounded-sm font-medium text-xs',
        text,
        !plain && cn(soft, 'px-1.5'),
      )}
    >
      <Icon aria-hidden className="size-3 shrink-0" />
      {label}
    </span>
  );
}
