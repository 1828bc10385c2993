'use client';
import { Callout } from '@/components/ui/callout';
import type { Me } from '@/lib/contract/access';
import { SignInCard } from './sign-in-card';
import { SignOutButton } from './sign-out-button';

/** For somebody who came in and may look at nothing. */
export function NoAccess({ me }: { me: Me }) {
  const roles = [...new Set(me.grants.map(({ role }) => role))];
  return (
    <SignInCard title="Nothing here is yours to see">
      <p className="text-muted">
        You are signed in as <span className="font-medium text-fg">{me.name}</span>.{' '}
        {roles.length === 0
          ? 'No role was given to you yet.'
          : `Your role (${roles.join(', ')}) is for programs: it shows no pages.`}
      </p>
      <Callout>
        Whoever manages access here can give you a role. It counts from then on: load this page again.
      </Callout>
      <SignOutButton />
    </SignInCard>
  );
}
