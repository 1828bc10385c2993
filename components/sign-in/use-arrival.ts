'use client';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '@/lib/client/api';
import { fetchMe, signInByLink } from '@/lib/client/session-api';

export type Arrival =
  /** Finding out whether there is anything to ask. */
  { at: 'door'; by: 'cookie' | 'link' } | { at: 'form'; problem: string | null };

/** Loads the next page anew: it is rendered for whoever signed in. Nothing of this one stays to go back to. */
export const goOn = (next: string): void => window.location.replace(next);

/**
 * Whoever comes with the code of a one-time link is signed in by it. Whoever is signed in already goes on by themselves: a first click
 * from another site comes without the session's cookie, so the page had to ask, and this request of the page itself carries it.
 * @param stays whoever was refused something is to read why, signed in or not
 */
export function useArrival(next: string, stays = false): [Arrival, (problem: string | null) => void] {
  const [arrival, setArrival] = useState<Arrival>({ at: 'door', by: 'cookie' });
  const begun = useRef(false);
  useEffect(() => {
    // A code works once, so it is sent once.
    if (begun.current) return;
    begun.current = true;
    const code = takeCode();
    if (code === null && stays) return setArrival({ at: 'form', problem: null });
    if (code !== null) setArrival({ at: 'door', by: 'link' });
    const form = (error: unknown) => setArrival({ at: 'form', problem: wordsOf(error) });
    (code === null ? fetchMe() : signInByLink(code)).then(() => goOn(next), form);
  }, [next, stays]);
  return [arrival, (problem) => setArrival({ at: 'form', problem })];
}

/** Out of the address bar at once: whoever looks at the screen, or at the browser's history, does not find it. */
function takeCode(): string | null {
  const code = new URLSearchParams(window.location.hash.slice(1)).get('code');
  if (window.location.hash !== '')
    window.history.replaceState(null, '', window.location.pathname + window.location.search);
  return code;
}

/** Not to be signed in yet is what this page is for. */
export function wordsOf(error: unknown): string | null {
  if (!(error instanceof ApiError)) return 'The sign-in failed. Try again.';
  return error.code === 'UNAUTHENTICATED' ? null : error.detail;
}
