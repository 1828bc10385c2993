'use client';
import { useState } from 'react';
import { Callout } from '@/components/ui/callout';
import { Button } from '@/components/ui/controls/button';
import { LogIn } from '@/components/ui/icons';
import { oidcHref, signIn } from '@/lib/browser/access/session-requests';
import { addressOf } from '@/lib/browser/base-path';
import type { SignInOptions } from '@/lib/contract/access/access-schemas';
import { SignInCard } from './sign-in-card';
import { SignInForm } from './sign-in-form';
import { continueTo, signInErrorMessage, useInitialSignIn } from './use-initial-sign-in';

/** The sign-in methods of this console. Reveals nothing else to visitors. */
export function SignInPage({
  options: { methods, oidcName },
  next,
  refused,
  signedOut,
}: {
  options: SignInOptions;
  /** The page to continue with; the server checked that it belongs to the console. */
  next: string;
  /** Why the sign-in at the identity provider failed. */
  refused: string | null;
  /** Returned from signing out at the identity provider. */
  signedOut: boolean;
}) {
  const [arrival, stay] = useInitialSignIn(next, refused !== null);
  const [pending, setPending] = useState(false);
  const submit = async (input: { name: string; password: string }): Promise<boolean> => {
    setPending(true);
    try {
      await signIn(input);
      continueTo(next);
      // Stays pending until the next page loads.
      return true;
    } catch (error) {
      stay(signInErrorMessage(error) ?? 'The sign-in failed. Try again.');
      setPending(false);
      return false;
    }
  };
  const problem = arrival.at === 'form' ? (arrival.problem ?? refused) : null;
  if (arrival.at === 'door' && arrival.by === 'link')
    return (
      <SignInCard title="Sign in">
        <p role="status" className="text-muted">
          Signing in with the one-time link…
        </p>
      </SignInCard>
    );
  return (
    <SignInCard title="Sign in">
      {problem !== null && <Callout tone="bad">{problem}</Callout>}
      {signedOut && problem === null && oidcName !== null && (
        <Callout tone="good">You are signed out here and at {oidcName}.</Callout>
      )}
      {methods.includes('local') && <SignInForm pending={pending} onSubmit={submit} />}
      {methods.includes('local') && oidcName !== null && <Or />}
      {oidcName !== null && (
        <Button asChild variant={methods.includes('local') ? 'secondary' : 'primary'} className="h-9 w-full">
          {/* Not a page of the console: it leads to the identity provider. */}
          <a href={addressOf(oidcHref(next))}>
            <LogIn aria-hidden />
            Continue with {oidcName}
          </a>
        </Button>
      )}
      {methods.includes('link') && <LinkWords />}
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
        Open the one-time link that the console printed where it was started, in the line that begins with{' '}
        <span className="text-fg">Sign in:</span>
      </p>
      <p>Each link works once. After it is used, the console prints a new one.</p>
    </div>
  );
}
