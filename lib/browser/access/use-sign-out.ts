'use client';
import { useState } from 'react';
import { ApiError } from '../api/api-client';
import { addressOf } from '../base-path';
import { SIGN_IN_PATH, signOut } from './session-requests';

/** Ends the session and leaves the page. */
export function useSignOut() {
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const leave = async () => {
    setPending(true);
    setProblem(null);
    let next = SIGN_IN_PATH;
    try {
      next = await signOut();
    } catch (error) {
      // The session has ended already.
      if (!(error instanceof ApiError && error.code === 'UNAUTHENTICATED')) {
        setProblem(`You are still signed in. ${error instanceof ApiError ? error.detail : 'Try again.'}`);
        setPending(false);
        return;
      }
    }
    // Of the provider, or a path of the console.
    window.location.replace(next.startsWith('/') ? addressOf(next) : next);
  };
  return { leave: () => void leave(), pending, problem };
}
