'use client';
import { useEffect, useId, useState } from 'react';
import { Button } from '@/components/ui/controls/button';
import { ExternalLink } from '@/components/ui/icons';
import { Dialog, DialogContent } from '@/components/ui/overlays/dialog';
import { oidcHref, SIGNED_IN_PATH, signIn, signInHref } from '@/lib/browser/access/session-requests';
import { usePolledMe, useSignInOptions } from '@/lib/browser/access/use-auth-question';
import { addressOf, pathOfAddress } from '@/lib/browser/base-path';
import type { Me } from '@/lib/contract/access/access-schemas';
import { PasswordForm } from './password-form';

const SURE_AFTER_MS = 1_000;
const LOOK_EVERY_MS = 300;
const here = () => pathOfAddress(window.location.pathname) + window.location.search;

/**
 * The session has ended. The page keeps its state but is hidden. The same user continues after signing in, here or in another tab;
 * another user gets a new page.
 *
 * Re-authentication in any tab replaces the session id, and requests under the old id are refused although the browser is still
 * signed in. So the dialog waits a second, and until the present id is refused, too.
 */
export function SignInAgainDialog({ me, onSignedIn }: { me: Me | null; onSignedIn: () => void }) {
  const form = useId();
  const [pending, setPending] = useState(false);
  const [waited, setWaited] = useState(false);
  const [sure, setSure] = useState(me === null);
  const { me: now, refused } = usePolledMe(sure ? undefined : LOOK_EVERY_MS);
  // A refetch clears the error. The dialog stays open, because the user may be typing.
  if (!sure && waited && refused) setSure(true);
  useEffect(() => {
    const timer = setTimeout(() => setWaited(true), SURE_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (!now) return;
    if (now.id === me?.id) onSignedIn();
    else window.location.reload();
  }, [now, me, onSignedIn]);
  const byPassword = me?.method === 'local';
  const other = (
    <Button asChild variant={me === null ? 'primary' : 'secondary'}>
      {/* Loaded anew: nothing of what this page knows is to stay. */}
      <a href={addressOf(signInHref(here()))}>{me === null ? 'Sign in' : 'Sign in as another user'}</a>
    </Button>
  );
  if (!sure) return null;
  return (
    <Dialog open>
      <DialogContent
        layer="veiled"
        closable={false}
        size="sm"
        title="Your session has ended"
        description={
          me === null ? undefined : 'Sign in again to continue. What you entered on this page is kept.'
        }
        footer={
          <>
            {other}
            {byPassword && (
              <Button type="submit" form={form} variant="primary" pending={pending}>
                Sign in
              </Button>
            )}
            {me?.method === 'oidc' && <ProviderLink label="Continue with" />}
          </>
        }
      >
        {byPassword ? (
          <PasswordForm
            id={form}
            name={me.name}
            send={(password) => signIn({ name: me.name, password })}
            onDone={onSignedIn}
            onPending={setPending}
          />
        ) : (
          <p className="text-muted">{wordsFor(me)}</p>
        )}
      </DialogContent>
    </Dialog>
  );
}

function wordsFor(me: Me | null): string {
  if (me?.method === 'oidc')
    return `You were signed in as ${me.name}. Sign in again in a new tab: this page will continue automatically.`;
  if (me?.method === 'link')
    return 'The console printed a new one-time link where it was started. Open it in this browser: this page will continue automatically.';
  return 'Sign in to see this page.';
}

/** Opens the identity provider in a new tab. */
export function ProviderLink({ label, reauthenticate = false }: { label: string; reauthenticate?: boolean }) {
  const provider = useSignInOptions()?.oidcName ?? 'your identity provider';
  return (
    <Button asChild variant="primary">
      <a href={addressOf(oidcHref(SIGNED_IN_PATH, reauthenticate))} target="_blank" rel="noopener">
        {label} {provider}
        <ExternalLink aria-hidden />
      </a>
    </Button>
  );
}
