'use client';
import { useState } from 'react';
import { ApiError } from './api';
import { signOut } from './session-api';

/** Ends the session, and leaves a page behind that shows nothing of it. */
export function useSignOut() {
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const leave = async () => {
    setPending(true);
    setProblem(null);
    let next = '/sign-in';
    try {
      next = await signOut();
    } catch (error) {
      // Whose session is gone already is where they wanted to be.
      if (!(error instanceof ApiError && error.code === 'UNAUTHENTICATED')) {
        setProblem(`You are still signed in. ${error instanceof ApiError ? error.detail : 'Try again.'}`);
        setPending(false);
        return;
      }
    }
    window.location.replace(next);
  };
  return { leave: () => void leave(), pending, problem };
}
