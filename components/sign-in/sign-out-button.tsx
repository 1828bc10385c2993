'use client';
import { LogOut } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { useSignOut } from '@/lib/client/use-sign-out';

export function SignOutButton() {
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
