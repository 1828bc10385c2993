'use client';
import { useSyncExternalStore } from 'react';

/** The width at which the table gives way to cards: Tailwind's `md`. */
const QUERY = '(max-width: 767.98px)';

/** Null until the browser can tell; both are then in the page and the style sheet hides one. */
export function usePhone(): boolean | null {
  return useSyncExternalStore<boolean | null>(
    subscribe,
    () => window.matchMedia(QUERY).matches,
    () => null,
  );
}

function subscribe(listener: () => void): () => void {
  const media = window.matchMedia(QUERY);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}
