'use client';
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';

const TYPING =
  'input:not([type="checkbox"]), textarea, select, [contenteditable], [role="dialog"], [role="alertdialog"], [role="menu"]';
const STEPS: Readonly<Record<string, number>> = { j: 1, k: -1 };

export interface ListKeys {
  /** x; X (with Shift) for a range. */
  toggle: (index: number, range: boolean) => void;
  /** Escape. */
  clear: () => void;
  /** r: of what is selected, else of the row that j and k stand on (-1: on none). */
  redrive: (index: number) => void;
}

/**
 * j and k move over the links of what is listed (Enter opens, because a link has the focus), x ticks, r re-drives, Escape
 * unticks all. Rows carry `data-row-link`; the place is kept when its row left the list.
 */
export function useListKeys(region: RefObject<HTMLElement | null>, on: ListKeys): void {
  const place = useRef(-1);
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target instanceof Element ? event.target : null;
    if (event.metaKey || event.ctrlKey || event.altKey || target?.closest(TYPING)) return;
    // While a dialog or a menu is open, the list behind it is not at hand.
    if (document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]')) return;
    const rows = [...(region.current?.querySelectorAll<HTMLElement>('[data-row-link]') ?? [])];
    const focused = rows.indexOf(document.activeElement as HTMLElement);
    if (focused >= 0) place.current = focused;
    const step = STEPS[event.key];
    if (step !== undefined && rows.length > 0) {
      place.current = Math.min(rows.length - 1, Math.max(0, place.current + step));
      rows[place.current]?.focus();
    } else if ((event.key === 'x' || event.key === 'X') && place.current >= 0 && rows.length > 0) {
      on.toggle(Math.min(place.current, rows.length - 1), event.shiftKey);
    } else if (event.key === 'r') {
      on.redrive(Math.min(place.current, rows.length - 1));
    } else if (event.key === 'Escape') {
      on.clear();
      return;
    } else return;
    event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}

/** Keys of the whole page, each a function; not while something is typed or a dialog is open. */
export function usePageKeys(keys: Readonly<Record<string, () => void>>): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target instanceof Element ? event.target : null;
    const run = keys[event.key];
    if (!run || event.metaKey || event.ctrlKey || event.altKey || target?.closest(TYPING)) return;
    if (document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]')) return;
    run();
    event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}
