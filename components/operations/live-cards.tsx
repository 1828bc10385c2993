'use client';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useMemo, useRef, useState } from 'react';
import { useOpenPage } from '@/components/shared/use-open-page';
import { IconButton } from '@/components/ui/controls/icon-button';
import { ChevronDown, ChevronUp, ListChecks } from '@/components/ui/icons';
import { useKeptRoom } from '@/components/ui/use-kept-room';
import { usePhone } from '@/components/ui/use-phone';
import { usePermits } from '@/lib/browser/access/use-permissions';
import { links } from '@/lib/browser/links';
import { useServerNow } from '@/lib/browser/live/live-provider';
import { useLiveOperations } from '@/lib/browser/use-live-operations';
import { operationPermission } from '@/lib/contract/access/action-permissions';
import type { Operation } from '@/lib/contract/operations/operation';
import { isOpen } from '@/lib/contract/operations/operation-kinds';
import { isBadResult, operationResult } from '@/lib/contract/operations/operation-result';
import { percentOf } from '@/lib/format/number';
import { UndoDialog } from './action-buttons';
import { progressTotal } from './labels';
import { OperationCard } from './operation-card';
import { useResultToasts } from './operation-toasts';

/**
 * Open operations, on every page: bottom right on a wide screen, in the page's flow on a phone. The page gets as much
 * room at its end as the cards take. `since`: when the page was opened.
 */
export function LiveCards({ since }: { since: number }) {
  const path = usePathname();
  const now = useServerNow(5_000);
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const phone = usePhone();
  const [chosen, setCollapsed] = useState<boolean | null>(null);
  // On a phone the cards would push the page out of sight.
  const collapsed = chosen ?? phone !== false;
  const operations = useLiveOperations();
  const { toasts, dialog } = useUndoFromToast();
  useResultToasts(operations, now, toasts);
  const { shown, more } = visibleCards(
    // The list and the operation's own page show it already; an export only waits for its download.
    operations.filter(
      ({ id, kind }) => kind !== 'export' && path !== links.operations() && path !== links.operation(id),
    ),
    { dismissed, since, now },
  );
  const dock = useRef<HTMLElement>(null);
  const isVisible = shown.length > 0;
  useKeptRoom(dock, '--dock', isVisible, 24);
  if (!isVisible) return dialog;
  const count = shown.length + more;
  return (
    <>
      {dialog}
      <section
        ref={dock}
        aria-label="Operations under way"
        className="z-20 grid grid-cols-[minmax(0,1fr)] gap-1.5 max-md:border-line max-md:border-b max-md:bg-canvas max-md:p-2 md:fixed md:right-3 md:bottom-[calc(0.75rem+var(--pauses,0px))] md:max-h-[calc(100dvh-5rem-var(--pauses,0px))] md:w-80 md:overflow-y-auto"
      >
        <div className="flex items-center justify-between gap-2 rounded-md border border-line-strong bg-raised px-2.5 py-0.5 text-xs">
          <Link
            href={links.operations()}
            className="flex shrink-0 items-center gap-1.5 whitespace-nowrap font-medium hover:underline"
          >
            <ListChecks aria-hidden className="size-3.5 text-faint" />
            {count} {count === 1 ? 'operation' : 'operations'}
          </Link>
          {collapsed && (
            <span className="min-w-0 truncate text-muted">{shown.map(collapsedLabel).join(', ')}</span>
          )}
          <IconButton
            label={collapsed ? 'Show the operations' : 'Collapse the operations'}
            size="sm"
            aria-expanded={!collapsed}
            onClick={() => setCollapsed(!collapsed)}
          >
            {collapsed ? <ChevronUp aria-hidden /> : <ChevronDown aria-hidden />}
          </IconButton>
        </div>
        {!collapsed &&
          shown.map((operation) => (
            <OperationCard
              key={operation.id}
              operation={operation}
              onDismiss={() => setDismissed((before) => new Set(before).add(operation.id))}
            />
          ))}
        {!collapsed && more > 0 && (
          <p className="rounded-md border border-line bg-raised px-2.5 py-1 text-faint text-xs">
            and {more} more on the operations page
          </p>
        )}
      </section>
    </>
  );
}

/** What the buttons of toasts do, and the dialog that one of them opened. */
function useUndoFromToast() {
  const openPage = useOpenPage();
  const [asked, setAsked] = useState<Operation | null>(null);
  const may = usePermits();
  const toasts = useMemo(
    () => ({
      onOpen: (id: string) => openPage(links.operation(id)),
      onUndo: (operation: Operation) =>
        operation.undo && may(operationPermission(operation.undo.kind))
          ? setAsked(operation)
          : openPage(links.operation(operation.id)),
    }),
    [openPage, may],
  );
  const dialog = asked?.undo ? (
    <UndoDialog operation={asked} undo={asked.undo} onClose={() => setAsked(null)} />
  ) : null;
  return { toasts, dialog };
}

/** "62%", "paused". */
function collapsedLabel(operation: Operation): string {
  if (operation.status !== 'running') return operationResult(operation).label;
  return percentOf(operation.moved + operation.skipped, progressTotal(operation));
}

const CARDS_MAX = 3;
/** How long an ended operation keeps its card, unless it is dismissed. */
export const ENDED_SHOWN_MS = 60_000;

/** Open operations, those that need attention first, and those that ended while the page was open. */
export function visibleCards(
  operations: readonly Operation[],
  { dismissed, since, now }: { dismissed: ReadonlySet<string>; since: number; now: number },
): { shown: Operation[]; more: number } {
  const all = operations
    .filter((operation) => {
      const { id, status, endedAt } = operation;
      if (dismissed.has(id)) return false;
      if (isOpen(status)) return true;
      // One that turned out badly stays until it is dismissed.
      return (
        endedAt !== null && endedAt >= since && (isBadResult(operation) || now - endedAt < ENDED_SHOWN_MS)
      );
    })
    .sort((a, b) => urgency(a) - urgency(b) || b.createdAt - a.createdAt);
  return { shown: all.slice(0, CARDS_MAX), more: Math.max(0, all.length - CARDS_MAX) };
}

const ORDER: readonly Operation['status'][] = ['paused', 'awaiting-approval', 'running'];
function urgency(operation: Operation): number {
  if (isBadResult(operation)) return -1;
  const index = ORDER.indexOf(operation.status);
  return index < 0 ? ORDER.length : index;
}
