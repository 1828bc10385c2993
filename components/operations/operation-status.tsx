import {
  Ban,
  CircleAlert,
  CircleCheck,
  LoaderCircle,
  type LucideIcon,
  RotateCcw,
  Trash2,
} from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import type { Tone } from '@/components/ui/tone';
import { links } from '@/lib/client/links';
import type { Operation, OperationKind } from '@/lib/contract/operations';
import { KIND_WORD } from './words';

const LOOK: Readonly<Record<Operation['status'], { word: string; tone: Tone; Icon: LucideIcon }>> = {
  running: { word: 'Running', tone: 'accent', Icon: LoaderCircle },
  completed: { word: 'Completed', tone: 'good', Icon: CircleCheck },
  cancelled: { word: 'Cancelled', tone: 'neutral', Icon: Ban },
  failed: { word: 'Failed', tone: 'bad', Icon: CircleAlert },
};

export const STATUS_TONE = (status: Operation['status']): Tone => LOOK[status].tone;

export function StatusBadge({ status }: { status: Operation['status'] }) {
  const { word, tone, Icon } = LOOK[status];
  return (
    <Badge
      tone={tone}
      icon={<Icon aria-hidden className={status === 'running' ? 'motion-safe:animate-spin' : ''} />}
    >
      {word}
    </Badge>
  );
}

export function KindWord({ kind }: { kind: OperationKind }) {
  const Icon = kind === 'redrive' ? RotateCcw : Trash2;
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap align-middle font-medium">
      <Icon aria-hidden className="size-3.5 shrink-0 text-faint" />
      {KIND_WORD[kind]}
    </span>
  );
}

export const operationLink = (id: string): string => `${links.operations()}/${encodeURIComponent(id)}`;
