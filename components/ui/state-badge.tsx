import {
  CalendarClock,
  Check,
  CirclePause,
  EyeOff,
  Inbox,
  type LucideIcon,
  RotateCw,
  Skull,
  Trash2,
  Zap,
} from 'lucide-react';
import { compact, full } from '@/lib/format/number';
import { cn } from './cn';

export type StateName =
  | 'ready'
  | 'in-flight'
  | 'scheduled'
  | 'retry'
  | 'completed'
  | 'dead'
  | 'suppressed'
  | 'trashed'
  | 'held';

type Look = { label: string; Icon: LucideIcon; text: string; soft: string; color: string };

/** One icon, one word and one colour a state, everywhere. `color` is for charts and SVG. */
export const STATE_LOOK: Readonly<Record<StateName, Look>> = {
  ready: {
    label: 'Ready',
    Icon: Inbox,
    text: 'text-state-ready',
    soft: 'bg-state-ready/11',
    color: 'var(--state-ready)',
  },
  'in-flight': {
    label: 'In-flight',
    Icon: Zap,
    text: 'text-state-in-flight',
    soft: 'bg-state-in-flight/11',
    color: 'var(--state-in-flight)',
  },
  scheduled: {
    label: 'Scheduled',
    Icon: CalendarClock,
    text: 'text-state-scheduled',
    soft: 'bg-state-scheduled/11',
    color: 'var(--state-scheduled)',
  },
  retry: {
    label: 'Retry',
    Icon: RotateCw,
    text: 'text-state-retry',
    soft: 'bg-state-retry/11',
    color: 'var(--state-retry)',
  },
  completed: {
    label: 'Completed',
    Icon: Check,
    text: 'text-state-completed',
    soft: 'bg-state-completed/11',
    color: 'var(--state-completed)',
  },
  dead: {
    label: 'Dead',
    Icon: Skull,
    text: 'text-state-dead',
    soft: 'bg-state-dead/11',
    color: 'var(--state-dead)',
  },
  suppressed: {
    label: 'Suppressed',
    Icon: EyeOff,
    text: 'text-state-suppressed',
    soft: 'bg-state-suppressed/11',
    color: 'var(--state-suppressed)',
  },
  trashed: {
    label: 'Trashed',
    Icon: Trash2,
    text: 'text-state-trashed',
    soft: 'bg-state-trashed/11',
    color: 'var(--state-trashed)',
  },
  held: {
    label: 'Held',
    Icon: CirclePause,
    text: 'text-state-held',
    soft: 'bg-state-held/11',
    color: 'var(--state-held)',
  },
};

/** `plain` drops the tint (for dense tables); `count` follows the word. */
export function StateBadge({
  state,
  count,
  plain,
  className,
}: {
  state: StateName;
  count?: number | null;
  plain?: boolean;
  className?: string;
}) {
  const { label, Icon, text, soft } = STATE_LOOK[state];
  return (
    <span
      data-slot="state-badge"
      data-state-name={state}
      className={cn(
        'inline-flex h-5 items-center gap-1 whitespace-nowrap rounded-sm font-medium text-xs',
        text,
        !plain && cn(soft, 'px-1.5'),
        className,
      )}
    >
      <Icon aria-hidden className="size-3 shrink-0" />
      {label}
      {count !== undefined && <span title={full(count)}>{compact(count)}</span>}
    </span>
  );
}
