'use client';
import { aboutDuration } from '@/components/shared/drain/drain-text';
import { Badge } from '@/components/ui/badge';
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
  type Icon,
  LoaderCircle,
  PencilLine,
  RotateCcw,
  ShieldQuestion,
  ShieldX,
  Trash2,
  Undo2,
  Zap,
} from '@/components/ui/icons';
import { Progress, StackedBar } from '@/components/ui/progress';
import { Duration, Num, Rate } from '@/components/ui/text/number';
import { DataAge } from '@/components/ui/text/relative-time';
import type { Tone } from '@/components/ui/tone';
import { useServerNow } from '@/lib/browser/live/live-provider';
import { useOverview } from '@/lib/browser/live/use-overview';
import { useOperation } from '@/lib/browser/use-operations';
import { movedPerSecond, remainingMs } from '@/lib/contract/operations/moved-rate';
import type { Operation, Outcome } from '@/lib/contract/operations/operation';
import { isOpen, type OperationKind, type OperationStatus } from '@/lib/contract/operations/operation-kinds';
import { type OperationResult, operationResult } from '@/lib/contract/operations/operation-result';
import { KIND_LABELS } from '@/lib/contract/operations/operation-text';
import { revealHidden } from '@/lib/format/display-text';
import { elapsedMs, outcomeParts, phaseLabel, progressLabel, progressTotal } from './labels';

const ICONS: Readonly<Record<OperationStatus, Icon>> = {
  'awaiting-approval': ShieldQuestion,
  running: LoaderCircle,
  paused: CirclePause,
  completed: CircleCheck,
  cancelled: Ban,
  rejected: ShieldX,
  failed: CircleAlert,
};

const resultTone = (level: OperationResult['level']): Tone => (level === 'open' ? 'accent' : level);

/** The status, coloured and worded by what became of the jobs. */
export function OperationStatusBadge({
  operation,
  isNarrow = false,
}: {
  operation: Operation;
  /** In a column: what became of the jobs stands below the badge. */
  isNarrow?: boolean;
}) {
  const { status, phase } = operation;
  const { level, label: result } = operationResult(operation);
  // Else "1 of 61" looks as if it stood still.
  const label = status === 'running' && phase !== null ? `${result} · canary` : result;
  const isEnded = !isOpen(status);
  const Icon = isEnded && (level === 'bad' || level === 'warn') ? CircleAlert : ICONS[status];
  const cut = label.indexOf(' · ');
  const [short, more] = isNarrow && cut > 0 ? [label.slice(0, cut), label.slice(cut + 3)] : [label, null];
  const badge = (
    <Badge
      tone={resultTone(level)}
      data-status={status}
      data-result={level}
      title={label}
      className="min-w-0 max-w-full"
      icon={<Icon aria-hidden className={status === 'running' ? 'motion-safe:animate-spin' : ''} />}
    >
      <span className="truncate">{short}</span>
    </Badge>
  );
  if (more === null) return badge;
  return (
    <span className="block min-w-0">
      {badge}
      <span title={label} className="block truncate text-muted text-xs leading-4">
        {more}
      </span>
    </span>
  );
}

const KIND_ICONS: Readonly<Record<OperationKind, Icon>> = {
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

export function KindLabel({ kind }: { kind: OperationKind }) {
  const Icon = KIND_ICONS[kind];
  return (
    <span className="inline-flex max-w-full items-center gap-1.5 whitespace-nowrap align-middle font-medium">
      <Icon aria-hidden className="size-3.5 shrink-0 text-faint" />
      <span className="truncate">{KIND_LABELS[kind].verb}</span>
    </span>
  );
}

/** "Re-drive: testing whether the fix is out"; "Operation" until it is known. */
export function OperationTitle({ id }: { id: string }) {
  const operation = useOperation(id).data;
  if (!operation) return 'Operation';
  return `${KIND_LABELS[operation.kind].verb}: ${revealHidden(operation.reason)}`;
}

/** Progress, rate and skipped jobs, in one line of numbers so that nothing moves as they grow. */
export function OperationProgress({ operation }: { operation: Operation }) {
  const now = useServerNow();
  const perSecond = movedPerSecond(operation, now);
  const left = remainingMs(operation, now);
  const phase = phaseLabel(operation);
  return (
    <div className="min-w-0 space-y-1">
      <OperationBar operation={operation} />
      <p className="flex flex-wrap gap-x-3 text-muted text-xs">
        <span className="font-medium text-fg">{progressLabel(operation)}</span>
        <span>
          <Num value={operation.moved} format="full" /> {KIND_LABELS[operation.kind].done}
        </span>
        <span>
          <Num value={operation.skipped} format="full" /> skipped
        </span>
        {operation.startedAt !== null && (
          <>
            {perSecond !== null && (
              <span>
                <Rate value={perSecond} />
              </span>
            )}
            <span>
              {operation.endedAt === null ? 'for ' : 'took '}
              <Duration ms={elapsedMs(operation, now)} />
            </span>
          </>
        )}
        {phase && <span className="text-accent">{phase}</span>}
        {left !== null && <span>{aboutDuration(left)} left</span>}
      </p>
    </div>
  );
}

export function OperationBar({ operation }: { operation: Operation }) {
  return (
    <Progress
      value={operation.moved + operation.skipped}
      total={operation.estimated && operation.status === 'running' ? null : progressTotal(operation)}
      label={`${KIND_LABELS[operation.kind].verb} progress`}
      tone={resultTone(operationResult(operation).level)}
      text={progressLabel(operation)}
    />
  );
}

/** Where the moved jobs are now, in shares. */
export function OutcomeBar({ outcome, className }: { outcome: Outcome; className?: string }) {
  return (
    <StackedBar label="Outcome of the moved jobs" segments={outcomeParts(outcome)} className={className} />
  );
}

/** Operations arrive with the overview's frame, once a second. */
export function OperationsAge() {
  return <DataAge at={useOverview().data?.at} staleAfterMs={10_000} />;
}
