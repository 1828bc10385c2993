'use client';
import { ExternalLink } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog, DialogContent } from '@/components/ui/dialog';
import { oidcHref, prove, SIGNED_IN_PATH } from '@/lib/client/session-api';
import { useMeAnew, useSignInOptions } from '@/lib/client/use-question';
import type { Me } from '@/lib/contract/access';
import { PasswordForm } from './password-form';

/** Before something that cannot be put back: is it still the person who signed in? What waits goes on after it. */
export function ProofDialog({ me, onAnswer }: { me: Me; onAnswer: (done: boolean) => void }) {
  const form = useId();
  const [pending, setPending] = useState(false);
  const byPassword = me.proof === 'password';
  return (
    <Dialog open onOpenChange={(open) => !open && onAnswer(false)}>
      <DialogContent
        layer="above"
        // At what it asks for, and not at the cross that closes it.
        onOpenAutoFocus={(event) => {
          event.preventDefault();
          if (event.currentTarget instanceof HTMLElement)
            event.currentTarget.querySelector<HTMLElement>('input[name=password], a[target]')?.focus();
        }}
        size="sm"
        title="Is it you?"
        description="What you asked for deletes something or changes who may do what, and it has been a while since you signed in. Nothing has been done yet."
        footer={
          <>
            <Button onClick={() => onAnswer(false)}>Cancel</Button>
            {byPassword ? (
              <Button type="submit" form={form} variant="primary" pending={pending}>
                Confirm
              </Button>
            ) : (
              <ProviderLink me={me} onDone={() => onAnswer(true)} />
            )}
          </>
        }
      >
        {byPassword ? (
          <PasswordForm
            id={form}
            name={me.name}
            send={prove}
            onDone={() => onAnswer(true)}
            onPending={setPending}
          />
        ) : (
          <p className="text-muted">
            You confirm it where you signed in, in a new tab. Then this goes on by itself, and you are not
            asked again for a while.
          </p>
        )}
      </DialogContent>
    </Dialog>
  );
}

function ProviderLink({ me, onDone }: { me: Me; onDone: () => void }) {
  const oidcName = useSignInOptions()?.oidcName ?? 'your identity provider';
  const now = useMeAnew();
  const until = now?.id === me.id ? (now.provedUntil ?? Number.POSITIVE_INFINITY) : null;
  // The first answer says when the old proof ran out: a new one lasts longer.
  const [before, setBefore] = useState<number | null>(null);
  if (before === null && until !== null) setBefore(until);
  const proved = before !== null && until !== null && until > before;
  useEffect(() => {
    if (proved) onDone();
  }, [proved, onDone]);
  return (
    <Button asChild variant="primary">
      <a href={oidcHref(SIGNED_IN_PATH, true)} target="_blank" rel="noopener">
        Confirm at {oidcName}
        <ExternalLink aria-hidden />
      </a>
    </Button>
  );
}
