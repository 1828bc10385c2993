'use client';
import { type FocusEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';

interface HoldProps {
  ref: RefObject<HTMLDivElement | null>;
  onPointerEnter: (event: PointerEvent) => void;
  onPointerLeave: () => void;
  onFocus: () => void;
  onBlur: (event: FocusEvent) => void;
}

/** A list stays as it is while the pointer rests on it or it has the focus: nothing moves from under the hand. */
export function useHeldList<List>(
  list: List,
  /** Another view is another list: it is shown at once. */
  view: string,
): {
  list: List;
  /** It is not the latest. */
  isHeld: boolean;
  release: () => void;
  /** For an element around the list. */
  hold: HoldProps;
} {
  const [by, setBy] = useState({ pointer: false, focus: false });
  const element = useRef<HTMLDivElement>(null);
  const [kept, setKept] = useState<{ list: List; view: string } | null>(null);
  const isHolding = by.pointer || by.focus;
  const isOutdated = kept !== null && (!isHolding || kept.view !== view);
  if (isOutdated) setKept(null);
  const shown = isOutdated || kept === null ? list : kept.list;
  // The list on show when the hand came; an empty or missing one is not worth holding.
  if (isHolding && (kept === null || isOutdated) && list !== null && list !== undefined)
    setKept({ list, view });
  // An element that is removed while it has the focus does not say so.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each list
  useEffect(() => {
    if (by.focus && element.current && !element.current.contains(document.activeElement))
      setBy((before) => ({ ...before, focus: false }));
  }, [list]);
  return {
    list: shown,
    isHeld: shown !== list,
    release: () => setKept(null),
    hold: {
      ref: element,
      onPointerEnter: ({ pointerType }) => {
        // A finger that has gone leaves no pointer behind.
        if (pointerType !== 'touch') setBy((before) => ({ ...before, pointer: true }));
      },
      onPointerLeave: () => setBy((before) => ({ ...before, pointer: false })),
      onFocus: () => setBy((before) => ({ ...before, focus: true })),
      onBlur: ({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)))
          setBy((before) => ({ ...before, focus: false }));
      },
    },
  };
}

/** "12 new", "50+ new", "changed"; null: the same. */
export function newRowsLabel(held: readonly string[], latest: readonly string[]): string | null {
  const known = new Set(held);
  const arrived = latest.filter((id) => !known.has(id)).length;
  if (arrived > 0) return `${arrived}${arrived === latest.length ? '+' : ''} new`;
  return held.length === latest.length && held.every((id, i) => id === latest[i]) ? null : 'changed';
}
