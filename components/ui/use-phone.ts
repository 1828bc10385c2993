'use client';
import { useSyncExternalStore } from 'react';

/** Where rooms become narrow: below Tailwind's `md`. */
const QUERY = '(max-width: 767.98px)';

/** Whether this is a narrow screen; null until the browser can tell. */
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
