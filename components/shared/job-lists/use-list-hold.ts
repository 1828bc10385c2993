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

/** Tells when a live list has to stand still for the hand on it. */
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
