'use client';
import { useEffect, useId, useState } from 'react';
import { Button } from '@/components/ui/controls/button';
import { Dialog, DialogContent } from '@/components/ui/overlays/dialog';
import { reauthenticate } from '@/lib/browser/access/session-requests';
import { usePolledMe } from '@/lib/browser/access/use-auth-question';
import type { Me } from '@/lib/contract/access/access-schemas';
import { PasswordForm } from './password-form';
import { ProviderLink } from './sign-in-again-dialog';

/** Re-authenticates the user before a destructive request; the request waits for the answer. */
export function ReauthDialog({ me, onAnswer }: { me: Me; onAnswer: (done: boolean) => void }) {
  const form = useId();
  const [pending, setPending] = useState(false);
  const byPassword = me.reauthentication === 'password';
  return (
    <Dialog open onOpenChange={(open) => !open && onAnswer(false)}>
      <DialogContent
        layer="above"
        // Focus the password or the link instead of the close button.
        onOpenAutoFocus={(event) => {
          event.preventDefault();
          if (event.currentTarget instanceof HTMLElement)
            event.currentTarget.querySelector<HTMLElement>('input[name=password], a[target]')?.focus();
        }}
        size="sm"
        title="Confirm your identity"
        description="This action deletes data or changes access, so it needs a recent sign-in. Nothing has been changed yet."
        footer={
          <>
            <Button onClick={() => onAnswer(false)}>Cancel</Button>
            {byPassword ? (
              <Button type="submit" form={form} variant="primary" pending={pending}>
                Confirm
              </Button>
            ) : (
              <ReauthLink me={me} onDone={() => onAnswer(true)} />
            )}
          </>
        }
      >
        {byPassword ? (
          <PasswordForm
            id={form}
            name={me.name}
            send={reauthenticate}
            onDone={() => onAnswer(true)}
            onPending={setPending}
          />
        ) : (
          <p className="text-muted">
            Confirm at your identity provider in a new tab. This page will continue automatically, and you are
            not asked again for a while.
          </p>
        )}
      </DialogContent>
    </Dialog>
  );
}

/** Calls `onDone` once the user confirmed their identity in the other tab. */
function ReauthLink({ me, onDone }: { me: Me; onDone: () => void }) {
  const now = usePolledMe().me;
  const until = now?.id === me.id ? (now.reauthenticatedUntil ?? Number.POSITIVE_INFINITY) : null;
  // A later expiry than that of the first answer means a new re-authentication.
  const [before, setBefore] = useState<number | null>(null);
  if (before === null && until !== null) setBefore(until);
  const confirmed = before !== null && until !== null && until > before;
  useEffect(() => {
    if (confirmed) onDone();
  }, [confirmed, onDone]);
  return <ProviderLink label="Confirm at" reauthenticate />;
}
