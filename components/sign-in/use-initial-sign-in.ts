'use client';
import { useEffect, useRef, useState } from 'react';
import { fetchMe, signInByLink } from '@/lib/browser/access/session-requests';
import { ApiError } from '@/lib/browser/api/api-client';
import { addressOf } from '@/lib/browser/base-path';

export type SignInStage =
  /** Checks for an existing session or a one-time link. */
  { at: 'door'; by: 'cookie' | 'link' } | { at: 'form'; problem: string | null };

/** Loads the next page for the signed-in user, without a history entry for this one. */
export const continueTo = (next: string): void => window.location.replace(addressOf(next));

/**
 * Signs in with the code of a one-time link, or continues with an existing session. A navigation from another site carries no
 * SameSite cookie, so the page itself has to ask.
 * @param stays show the reason of a refusal instead of continuing
 */
export function useInitialSignIn(
  next: string,
  stays = false,
): [SignInStage, (problem: string | null) => void] {
  const [arrival, setArrival] = useState<SignInStage>({ at: 'door', by: 'cookie' });
  const begun = useRef(false);
  useEffect(() => {
    // A code works once, so it is sent once.
    if (begun.current) return;
    begun.current = true;
    const code = takeCode();
    if (code === null && stays) return setArrival({ at: 'form', problem: null });
    if (code !== null) setArrival({ at: 'door', by: 'link' });
    const form = (error: unknown) => setArrival({ at: 'form', problem: signInErrorMessage(error) });
    (code === null ? fetchMe() : signInByLink(code)).then(() => continueTo(next), form);
  }, [next, stays]);
  return [arrival, (problem) => setArrival({ at: 'form', problem })];
}

/** Removes the code from the URL and the browser's history. */
function takeCode(): string | null {
  const code = new URLSearchParams(window.location.hash.slice(1)).get('code');
  if (window.location.hash !== '')
    window.history.replaceState(null, '', window.location.pathname + window.location.search);
  return code;
}

/** Null for UNAUTHENTICATED, which is expected here. */
export function signInErrorMessage(error: unknown): string | null {
  if (!(error instanceof ApiError)) return 'The sign-in failed. Try again.';
  return error.code === 'UNAUTHENTICATED' ? null : error.detail;
}
