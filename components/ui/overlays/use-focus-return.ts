'use client';
import { useRef } from 'react';

/**
 * For the content of a dialog without a trigger: the focus goes back to the element that had it, which Radix does for triggers only.
 * Spread over the content.
 */
export function useFocusReturn(): { onOpenAutoFocus: () => void; onCloseAutoFocus: () => void } {
  const opener = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      opener.current = document.activeElement;
    },
    onCloseAutoFocus: () => {
      if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus();
    },
  };
}
