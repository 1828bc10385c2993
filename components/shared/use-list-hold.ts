'use client';
import { type FocusEvent, type PointerEvent, useEffect, useState } from 'react';

export interface ListHold {
  /** Rows must not move: the pointer is over the list, or the keyboard's focus is in it. */
  held: boolean;
  /** For the element around the list and its notice of new rows. */
  handlers: {
    onPointerEnter: (event: PointerEvent) => void;
    onPointerLeave: () => void;
    onFocus: (event: FocusEvent) => void;
    onBlur: (event: FocusEvent) => void;
  };
}

const FOCUS_CHECK_MS = 1_000;

/** Whether a live list must not reorder its rows, because the pointer or the focus is on them. */
export function useListHold(): ListHold {
  const [pointer, setPointer] = useState(false);
  const [focus, setFocus] = useState(false);
  useEffect(() => {
    if (!focus) return;
    // A row that leaves the list takes its focus along without a blur event.
    const timer = setInterval(() => {
      if (document.activeElement === document.body) setFocus(false);
    }, FOCUS_CHECK_MS);
    return () => clearInterval(timer);
  }, [focus]);
  return {
    held: pointer || focus,
    handlers: {
      // A finger leaves no pointer behind that could still be over a row.
      onPointerEnter: ({ pointerType }) => setPointer(pointerType !== 'touch'),
      onPointerLeave: () => setPointer(false),
      // Focus that a click leaves behind says nothing about where the user looks now.
      onFocus: ({ target }) => setFocus(target.matches(':focus-visible')),
      onBlur: ({ currentTarget, relatedTarget }) => setFocus(currentTarget.contains(relatedTarget)),
    },
  };
}

/** The list as it was when the hold began; the latest otherwise, and when the view is another one. */
export function useWhileHeld<List>(held: boolean, list: List, view: string): List {
  const [kept, setKept] = useState<{ list: List; view: string } | null>(null);
  const isOutdated = kept !== null && (!held || kept.view !== view);
  if (isOutdated) setKept(null);
  // An empty or missing one is not worth holding.
  if (held && (kept === null || isOutdated) && list !== null && list !== undefined) setKept({ list, view });
  return isOutdated || kept === null ? list : kept.list;
}

/** Rows that keep their order under the hand, while their numbers go on. Null while there are none yet. */
export function useHeldOrder<Row>(
  held: boolean,
  rows: readonly Row[] | null,
  keyOf: (row: Row) => string,
  view: string,
): readonly Row[] | null {
  const kept = useWhileHeld(held, rows, view);
  if (kept === null || rows === null || kept === rows) return kept;
  const latest = new Map(rows.map((row) => [keyOf(row), row]));
  return kept.map((row) => latest.get(keyOf(row)) ?? row);
}

/** "12 new", "50+ new", "changed"; null: the same. */
export function newRowsLabel(held: readonly string[], latest: readonly string[]): string | null {
  const known = new Set(held);
  const arrived = latest.filter((id) => !known.has(id)).length;
  if (arrived > 0) return `${arrived}${arrived === latest.length ? '+' : ''} new`;
  return held.length === latest.length && held.every((id, i) => id === latest[i]) ? null : 'changed';
}
