'use client';
import { ExternalLink } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog, DialogContent } from '@/components/ui/dialog';
import { oidcHref, SIGNED_IN_PATH, signIn, signInHref } from '@/lib/client/session-api';
import { useMeAnew, useSignInOptions } from '@/lib/client/use-question';
import type { Me } from '@/lib/contract/access';
import { PasswordForm } from './password-form';

const SURE_AFTER_MS = 1_000;
const LOOK_EVERY_MS = 300;
const here = () => window.location.pathname + window.location.search;

/**
 * The session is over. The page stays as it is, with whatever was typed into it, but out of sight: whoever walks up now sees nothing.
 * Who signs in again, here or in another tab, goes on; somebody else gets a page of their own.
 *
 * A session gets a new id when its person says once more who they are, in this tab or another: what was asked under the old id is refused,
 * and the browser is signed in all the same. So the dialog looks for a second before it says anything.
 */
export function SignedOutDialog({ me, onSignedIn }: { me: Me | null; onSignedIn: () => void }) {
  const form = useId();
  const [pending, setPending] = useState(false);
  const [sure, setSure] = useState(me === null);
  const now = useMeAnew(sure ? undefined : LOOK_EVERY_MS);
  useEffect(() => {
    const timer = setTimeout(() => setSure(true), SURE_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (!now) return;
    if (now.id === me?.id) onSignedIn();
    else window.location.reload();
  }, [now, me, onSignedIn]);
  const byPassword = me?.way === 'local';
  const other = (
    <Button asChild variant={me === null ? 'primary' : 'secondary'}>
      {/* Loaded anew: nothing of what this page knows is to stay. */}
      <a href={signInHref(here())}>{me === null ? 'Sign in' : 'Sign in as somebody else'}</a>
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
          me === null ? undefined : 'Sign in again to go on where you were. What you typed is still there.'
        }
        footer={
          <>
            {other}
            {byPassword && (
              <Button type="submit" form={form} variant="primary" pending={pending}>
                Sign in
              </Button>
            )}
            {me?.way === 'oidc' && <ProviderLink />}
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
  if (me?.way === 'oidc')
    return `You were ${me.name}. Sign in in a new tab; this one then goes on by itself.`;
  if (me?.way === 'link')
    return 'The console has printed a new one-time link where it was started. Open it in this browser: this page then goes on by itself.';
  return 'Sign in to see this page.';
}

function ProviderLink() {
  const oidcName = useSignInOptions()?.oidcName ?? 'your identity provider';
  return (
    <Button asChild variant="primary">
      <a href={oidcHref(SIGNED_IN_PATH)} target="_blank" rel="noopener">
        Continue with {oidcName}
        <ExternalLink aria-hidden />
      </a>
    </Button>
  );
}
