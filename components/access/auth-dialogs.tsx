'use client';
import { useEffect } from 'react';
import { useAuthQuestion } from '@/lib/browser/access/use-auth-question';
import { useMe } from '@/lib/browser/access/use-me';
import { ReauthDialog } from './reauth-dialog';
import { SignInAgainDialog } from './sign-in-again-dialog';

/** Shows the sign-in or re-authentication dialog when a request needs one. The request waits; pages need no code for it. */
export function AuthDialogs() {
  const { question, answer } = useAuthQuestion();
  const me = useMe().data ?? null;
  useEffect(() => {
    // A page restored from the browser's cache may belong to an ended session.
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) window.location.reload();
    };
    window.addEventListener('pageshow', onPageShow);
    return () => window.removeEventListener('pageshow', onPageShow);
  }, []);
  if (question === 'sign-in') return <SignInAgainDialog me={me} onSignedIn={() => answer('sign-in', true)} />;
  if (question === 'reauthentication' && me)
    return <ReauthDialog me={me} onAnswer={(done) => answer('reauthentication', done)} />;
  return null;
}
