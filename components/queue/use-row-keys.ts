'use client';
import { type RefObject, useEffect, useRef } from 'react';

const STEPS: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };
const TYPING =
  'input, textarea, select, [contenteditable], [role="dialog"], [role="alertdialog"], [role="menu"]';

/**
 * Moves the focus between the rows' own links: j and k from anywhere on the page, the arrows inside the table. Enter
 * then opens, because a link is what has the focus. The place is kept when the row it was on has left the list.
 */
export function useRowKeys(region: RefObject<HTMLElement | null>): void {
  const place = useRef(-1);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const step = STEPS[event.key];
      const target = event.target instanceof Element ? event.target : null;
      if (step === undefined || event.metaKey || event.ctrlKey || event.altKey || target?.closest(TYPING))
        return;
      const table = region.current;
      const inside = target !== null && table?.contains(target) === true;
      if (table === null || (event.key.startsWith('Arrow') && !inside)) return;
      const links: Element[] = [...table.querySelectorAll('[data-row-link]')];
      if (links.length === 0) return;
      const focused = document.activeElement ? links.indexOf(document.activeElement) : -1;
      const from = focused >= 0 ? focused : place.current;
      const next = Math.min(links.length - 1, Math.max(0, from + step));
      place.current = next;
      const link = links[next];
      if (link instanceof HTMLElement) link.focus();
      event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [region]);
}

/** / goes to the field, from anywhere but where something is typed. */
export function useSlashKey(field: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const target = event.target instanceof Element ? event.target : null;
      if (event.key !== '/' || event.metaKey || event.ctrlKey || event.altKey || target?.closest(TYPING))
        return;
      field.current?.focus();
      event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [field]);
}
