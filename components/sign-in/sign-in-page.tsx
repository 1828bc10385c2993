'use client';
import { LogIn } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { oidcHref, signIn } from '@/lib/client/session-api';
import type { SignInOptions } from '@/lib/contract/access';
import { LocalForm } from './local-form';
import { SignInCard } from './sign-in-card';
import { goOn, useArrival, wordsOf } from './use-arrival';

/** The ways in that this console offers, and nothing else: who is not signed in learns nothing of what is inside. */
export function SignInPage({
  options: { ways, oidcName },
  next,
  refused,
  signedOut,
}: {
  options: SignInOptions;
  /** Where to go on; the server has made sure that it is a page of this console. */
  next: string;
  /** Why an identity provider's sign-in came to nothing. */
  refused: string | null;
  /** The browser comes back from signing out at the identity provider. */
  signedOut: boolean;
}) {
  const [arrival, stay] = useArrival(next, refused !== null);
  const [pending, setPending] = useState(false);
  const submit = async (input: { name: string; password: string }): Promise<boolean> => {
    setPending(true);
    try {
      await signIn(input);
      goOn(next);
      // It stays busy until the next page is there.
      return true;
    } catch (error) {
      stay(wordsOf(error) ?? 'The sign-in failed. Try again.');
      setPending(false);
      return false;
    }
  };
  const problem = arrival.at === 'form' ? (arrival.problem ?? refused) : null;
  if (arrival.at === 'door' && arrival.by === 'link')
    return (
      <SignInCard title="Sign in">
        <p role="status" className="text-muted">
          Signing you in by the one-time link…
        </p>
      </SignInCard>
    );
  return (
    <SignInCard title="Sign in">
      {problem !== null && <Callout tone="bad">{problem}</Callout>}
      {signedOut && problem === null && oidcName !== null && (
        <Callout tone="good">You are signed out here and at {oidcName}.</Callout>
      )}
      {ways.includes('local') && <LocalForm pending={pending} onSubmit={submit} />}
      {ways.includes('local') && oidcName !== null && <Or />}
      {oidcName !== null && (
        <Button asChild variant={ways.includes('local') ? 'secondary' : 'primary'} className="h-9 w-full">
          {/* Not a page of the console: it leads to the identity provider. */}
          <a href={oidcHref(next)}>
            <LogIn aria-hidden />
            Continue with {oidcName}
          </a>
        </Button>
      )}
      {ways.includes('link') && <LinkWords />}
    </SignInCard>
  );
}

function Or() {
  return (
    <p className="flex items-center gap-3 text-faint text-xs">
      <span aria-hidden className="h-px flex-1 bg-line" />
      or
      <span aria-hidden className="h-px flex-1 bg-line" />
    </p>
  );
}

function LinkWords() {
  return (
    <div className="grid gap-2 text-muted">
      <p>
        This console lets in whoever opens its one-time link. It printed the link where it was started, as a
        line that begins with <span className="text-fg">Sign in:</span>
      </p>
      <p>Each link works once; the console prints a new one when it has been used.</p>
    </div>
  );
}
