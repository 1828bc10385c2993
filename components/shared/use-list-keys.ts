'use client';
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';

const TYPING = 'input:not([type="checkbox"]), textarea, select, [contenteditable]';
const OVERLAY = '[role="dialog"], [role="alertdialog"], [role="menu"]';

export const isTypingIn = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(TYPING) !== null;
export const isOverlayOpen = (): boolean => document.querySelector(OVERLAY) !== null;

/** Calls `onKey` for keys of the page: not while the user types or a dialog or menu is open. */
function useKeys(onKey: (key: string, event: KeyboardEvent) => 'handled' | undefined): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    // An open menu took the key, and may have closed before the event arrives here.
    if (event.defaultPrevented) return;
    if (event.metaKey || event.ctrlKey || event.altKey || isTypingIn(event.target) || isOverlayOpen()) return;
    if (onKey(event.key, event) === 'handled') event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}

/** Keys of the whole page. */
export function usePageKeys(keys: Readonly<Record<string, () => void>>): void {
  useKeys((key) => {
    keys[key]?.();
    return key in keys ? 'handled' : undefined;
  });
}

interface RowActions {
  /** x; X (with Shift) for a range. */
  toggle: (index: number, range: boolean) => void;
  /** Escape. */
  clear: () => void;
  /** r: the selection, else the focused row (-1: none). Left out where nothing can be re-driven. */
  redrive?: (index: number) => void;
  /** The row shown beside the list (-1: it is not listed): j and k show its neighbours. Null: none. */
  panel?: { index: number; show: (index: number) => void } | null;
}

const STEPS: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

/**
 * j and k move between the rows' links (`data-row-link`), so Enter opens one; x selects, r re-drives, Escape clears the
 * selection. A list without actions takes arrow keys as well. When the row leaves the list, its position stays.
 * While a panel shows a row, j and k step through the panel, and Escape is the panel's.
 */
export function useListKeys(region: RefObject<HTMLElement | null>, actions?: RowActions): void {
  const position = useRef(-1);
  useKeys((key, event) => {
    const list = region.current;
    const rows = [...(list?.querySelectorAll<HTMLElement>('[data-row-link]') ?? [])];
    const focused = rows.indexOf(document.activeElement as HTMLElement);
    if (focused >= 0) position.current = focused;
    const panel = actions?.panel;
    if (panel && panel.index >= 0) position.current = panel.index;
    const step = STEPS[key];
    if (step !== undefined && rows.length > 0) {
      if (key.startsWith('Arrow') && (actions || !list?.contains(event.target as Node))) return;
      position.current = Math.min(rows.length - 1, Math.max(0, position.current + step));
      if (panel) panel.show(position.current);
      else rows[position.current]?.focus();
      return 'handled';
    }
    const index = Math.min(position.current, rows.length - 1);
    if (key === 'Escape') {
      if (!panel) actions?.clear();
    } else if (actions?.redrive && key === 'r') {
      actions.redrive(index);
      return 'handled';
    } else if (actions && key.toLowerCase() === 'x' && index >= 0) {
      actions.toggle(index, event.shiftKey);
      return 'handled';
    }
  });
}
