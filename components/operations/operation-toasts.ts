'use client';
/** One toast for each operation started here: first that it started, then what became of its jobs. */
import { useEffect } from 'react';
import { toast } from '@/components/ui/overlays/toast';
import type { Operation } from '@/lib/contract/operations/operation';
import { isOpen } from '@/lib/contract/operations/operation-kinds';
import { operationResult } from '@/lib/contract/operations/operation-result';
import { hasUnfinishedJobs, KIND_LABELS } from '@/lib/contract/operations/operation-text';
import { canUndo, undoLabel } from './labels';

/** Long enough to read, and to undo. */
const RESULT_SHOWN_MS = 10_000;
/** Operations of this tab whose result is not known yet. */
const awaited = new Set<string>();
/** Results in sight, as they were shown last: a number in them must not stay behind the number of the card. */
const inSight = new Map<string, string>();

/** Without a tick: nothing has been done yet. */
export function announceStart({ id, kind, status }: Operation, open: () => void): void {
  const { verb } = KIND_LABELS[kind];
  const isWaiting = status === 'awaiting-approval';
  if (!isWaiting) awaited.add(id);
  toast.info(isWaiting ? `${verb} awaits approval` : `${verb} started`, {
    id,
    description: isWaiting ? 'Another user must approve it first.' : undefined,
    action: { label: 'Open', onClick: open },
  });
}

/** Replaces the toast of each operation started here once its result is known, and again while the result changes in sight. */
export function useResultToasts(
  operations: readonly Operation[],
  now: number,
  { onOpen, onUndo }: { onOpen: (id: string) => void; onUndo: (operation: Operation) => void },
): void {
  useEffect(() => {
    for (const operation of operations) {
      const { id, kind } = operation;
      const { level, label } = operationResult(operation);
      const shown = inSight.get(id);
      const isNew = awaited.has(id) && isResultKnown(operation);
      if (!isNew && (shown === undefined || shown === label)) continue;
      awaited.delete(id);
      inSight.set(id, label);
      const forget = () => inSight.delete(id);
      const show = level === 'bad' ? toast.error : level === 'warn' ? toast.warning : toast.success;
      show(`${KIND_LABELS[kind].verb}: ${label.charAt(0).toLowerCase()}${label.slice(1)}`, {
        id,
        description: undefined,
        duration: RESULT_SHOWN_MS,
        onAutoClose: forget,
        onDismiss: forget,
        action: canUndo(operation, now)
          ? { label: undoLabel(operation, now), onClick: () => onUndo(operation) }
          : { label: 'Open', onClick: () => onOpen(id) },
      });
    }
  }, [operations, now, onOpen, onUndo]);
}

/** A bad result is known before the last job has ended. */
export const isResultKnown = (operation: Operation): boolean =>
  operationResult(operation).level === 'bad' || (!isOpen(operation.status) && !hasUnfinishedJobs(operation));
