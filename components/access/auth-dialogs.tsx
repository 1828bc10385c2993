'use client';
import { useEffect } from 'react';
import { lazyPart } from '@/components/ui/lazy-part';
import { useAuthQuestion } from '@/lib/browser/access/use-auth-question';
import { useMe } from '@/lib/browser/access/use-me';

const ReauthDialog = lazyPart(() => import('./reauth-dialog').then((module) => module.ReauthDialog));
const SignInAgainDialog = lazyPart(() =>
  import('./sign-in-again-dialog').then((module) => module.SignInAgainDialog),
);

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
