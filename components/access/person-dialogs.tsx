'use client';
import { useEffect } from 'react';
import { useMe } from '@/lib/client/use-me';
import { useQuestion } from '@/lib/client/use-question';
import { ProofDialog } from './proof-dialog';
import { SignedOutDialog } from './signed-out-dialog';

/** Beside every page: asks the person when an answer of the API asks for them. Pages know nothing of it; their requests wait. */
export function PersonDialogs() {
  const { question, answer } = useQuestion();
  const me = useMe().data ?? null;
  useEffect(() => {
    // A page that the browser kept whole and brings back may be that of a session that has ended since.
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) window.location.reload();
    };
    window.addEventListener('pageshow', onPageShow);
    return () => window.removeEventListener('pageshow', onPageShow);
  }, []);
  if (question === 'sign-in') return <SignedOutDialog me={me} onSignedIn={() => answer('sign-in', true)} />;
  if (question === 'proof' && me) return <ProofDialog me={me} onAnswer={(done) => answer('proof', done)} />;
  return null;
}
