'use client';
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';

const TYPING =
  'input:not([type="checkbox"]), textarea, select, [contenteditable], [role="dialog"], [role="alertdialog"], [role="menu"]';
const STEPS: Readonly<Record<string, number>> = { j: 1, k: -1 };

/**
 * j and k move over the rows' links (Enter opens, because a link has the focus), x ticks the row, Escape unticks all,
 * / goes to the filter. Rows carry `data-row-link`; the place is kept when its row left the list.
 */
export function useListKeys(
  region: RefObject<HTMLElement | null>,
  filter: RefObject<HTMLElement | null>,
  on: { toggle: (index: number, range: boolean) => void; clear: () => void },
): void {
  const place = useRef(-1);
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target instanceof Element ? event.target : null;
    if (event.metaKey || event.ctrlKey || event.altKey || target?.closest(TYPING)) return;
    const rows = [...(region.current?.querySelectorAll<HTMLElement>('[data-row-link]') ?? [])];
    const focused = rows.indexOf(document.activeElement as HTMLElement);
    if (focused >= 0) place.current = focused;
    const step = STEPS[event.key];
    if (step !== undefined && rows.length > 0) {
      place.current = Math.min(rows.length - 1, Math.max(0, place.current + step));
      rows[place.current]?.focus();
    } else if ((event.key === 'x' || event.key === 'X') && place.current >= 0) {
      on.toggle(Math.min(place.current, rows.length - 1), event.shiftKey);
    } else if (event.key === 'Escape') {
      on.clear();
      return;
    } else if (event.key === '/') {
      filter.current?.querySelector<HTMLElement>('select, input')?.focus();
    } else return;
    event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}
