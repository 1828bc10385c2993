'use client';
import { Callout } from '@/components/ui/callout';
import { Button } from '@/components/ui/controls/button';
import { LogOut } from '@/components/ui/icons';
import { useSignOut } from '@/lib/browser/access/use-sign-out';
import type { Me } from '@/lib/contract/access/access-schemas';
import { SignInCard } from './sign-in-card';

/** For a signed-in user without access to any page. */
export function NoAccess({ me }: { me: Me }) {
  const roles = [...new Set(me.grants.map(({ role }) => role))];
  return (
    <SignInCard title="You don't have access">
      <p className="text-muted">
        You are signed in as <span className="font-medium text-fg">{me.name}</span>.{' '}
        {roles.length === 0
          ? 'You have no role yet.'
          : `Your role (${roles.join(', ')}) is for programs: it shows no pages.`}
      </p>
      <Callout>Ask an administrator for a role, then reload this page.</Callout>
      <SignOutButton />
    </SignInCard>
  );
}

function SignOutButton() {
  const { leave, pending, problem } = useSignOut();
  return (
    <>
      {problem && <Callout tone="bad">{problem}</Callout>}
      <Button className="h-9 w-full" pending={pending} onClick={leave}>
        <LogOut aria-hidden />
        Sign out
      </Button>
    </>
  );
}
