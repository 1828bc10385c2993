import {
  ArrowRightLeft,
  BadgeX,
  Ban,
  CalendarClock,
  CircleAlert,
  CircleCheck,
  CirclePause,
  Download,
  Eye,
  EyeOff,
  LoaderCircle,
  type LucideIcon,
  PencilLine,
  RotateCcw,
  ShieldQuestion,
  ShieldX,
  Trash2,
  Undo2,
  Zap,
} from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import type { Tone } from '@/components/ui/tone';
import { KIND_WORDS, STATUS_WORDS } from '@/lib/contract/operation-words';
import type { OperationKind, OperationStatus } from '@/lib/contract/operations';

const LOOK: Readonly<Record<OperationStatus, { tone: Tone; Icon: LucideIcon }>> = {
  'awaiting-approval': { tone: 'warn', Icon: ShieldQuestion },
  running: { tone: 'accent', Icon: LoaderCircle },
  paused: { tone: 'warn', Icon: CirclePause },
  completed: { tone: 'good', Icon: CircleCheck },
  cancelled: { tone: 'neutral', Icon: Ban },
  rejected: { tone: 'neutral', Icon: ShieldX },
  failed: { tone: 'bad', Icon: CircleAlert },
};

export const STATUS_TONE = (status: OperationStatus): Tone => LOOK[status].tone;

export function StatusBadge({ status }: { status: OperationStatus }) {
  const { tone, Icon } = LOOK[status];
  return (
    <Badge
      tone={tone}
      data-status={status}
      icon={<Icon aria-hidden className={status === 'running' ? 'motion-safe:animate-spin' : ''} />}
    >
      {STATUS_WORDS[status]}
    </Badge>
  );
}

const KIND_ICONS: Readonly<Record<OperationKind, LucideIcon>> = {
  redrive: RotateCcw,
  move: ArrowRightLeft,
  edit: PencilLine,
  suppress: EyeOff,
  unsuppress: Eye,
  purge: Trash2,
  restore: Undo2,
  recall: Undo2,
  delete: BadgeX,
  cancel: Ban,
  promote: Zap,
  reschedule: CalendarClock,
  export: Download,
  'delete-queue': BadgeX,
};

export function KindWord({ kind }: { kind: OperationKind }) {
  const Icon = KIND_ICONS[kind];
  return (
    <span className="inline-flex max-w-full items-center gap-1.5 whitespace-nowrap align-middle font-medium">
      <Icon aria-hidden className="size-3.5 shrink-0 text-faint" />
      <span className="truncate">{KIND_WORDS[kind].verb}</span>
    </span>
  );
}
