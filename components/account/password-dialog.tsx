'use client';
import { useId, useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { CodeBlock } from '@/components/ui/code-block';
import { DialogContent } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { PasswordInput } from '@/components/ui/password-input';
import { Segmented } from '@/components/ui/segmented';
import { useChangePassword } from '@/lib/client/use-sessions';
import { type Me, PASSWORD_MAX_CHARS, PASSWORD_MIN_CHARS } from '@/lib/contract/access';
import { count } from '@/lib/format/plural';
import { visible } from '@/lib/format/text';

const TOKENS = [
  { value: 'keep', label: 'Stay in force' },
  { value: 'end', label: 'End now' },
] as const;
type Tokens = (typeof TOKENS)[number]['value'];

/** One's own password: in the console where it may write the users file, else by the command that this names. */
export function PasswordDialog({ me, onClose }: { me: Me; onClose: () => void }) {
  return me.passwordChange === 'here' ? <ChangeForm me={me} onClose={onClose} /> : <ByCommand me={me} />;
}

function ByCommand({ me }: { me: Me }) {
  return (
    <DialogContent
      size="sm"
      title="Change password"
      description="Passwords are changed by command here: this console may not write the users file. Whoever runs the console does it with"
    >
      <CodeBlock text={`npm run user -- passwd "${visible(me.name)}"`} label="The command" />
    </DialogContent>
  );
}

function ChangeForm({ me, onClose }: { me: Me; onClose: () => void }) {
  const form = useId();
  const [password, setPassword] = useState('');
  const [newPassword, setNewPassword] = useState('');
  const [tokens, setTokens] = useState<Tokens | ''>('');
  const { mutate, isPending, error } = useChangePassword();
  const missing = password === '' || newPassword === '' || tokens === '';
  const submit = () => {
    if (missing || isPending) return;
    mutate(
      { password, newPassword, tokens },
      {
        onSuccess: ({ ended }) => {
          toast.success('Password changed', {
            description: `${count(ended.sessions, 'other session')} and ${count(ended.tokens, 'API token')} ended.`,
          });
          onClose();
        },
      },
    );
  };
  const about = error?.about('password') ?? error?.about('newPassword') ?? null;
  return (
    <DialogContent
      size="sm"
      title="Change password"
      description="Everywhere else you are signed out. Here you go on."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="primary" disabled={missing} pending={isPending}>
            Change password
          </Button>
        </>
      }
    >
      <form
        id={form}
        method="post"
        noValidate
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {/* For password managers: whose password it is. */}
        <input type="text" name="username" autoComplete="username" value={me.name} readOnly hidden />
        <Field
          label="Current password"
          error={error?.code === 'SIGN_IN_FAILED' ? error.detail : error?.about('password')}
        >
          {(control) => (
            <PasswordInput
              {...control}
              name="password"
              autoComplete="current-password"
              autoFocus
              maxLength={PASSWORD_MAX_CHARS}
              value={password}
              onChange={({ target }) => setPassword(target.value)}
            />
          )}
        </Field>
        <Field
          label="New password"
          hint={`At least ${PASSWORD_MIN_CHARS} characters. Several words that do not belong together are easy to keep in mind and hard to guess.`}
          error={error?.about('newPassword')}
        >
          {(control) => (
            <PasswordInput
              {...control}
              name="new-password"
              autoComplete="new-password"
              maxLength={PASSWORD_MAX_CHARS}
              value={newPassword}
              onChange={({ target }) => setNewPassword(target.value)}
            />
          )}
        </Field>
        <div className="flex flex-col items-start gap-1">
          <p className="font-medium text-fg text-xs">Your API tokens</p>
          <Segmented label="Your API tokens" value={tokens} options={TOKENS} onChange={setTokens} />
          <p className="text-faint text-xs">
            Let them end if somebody else may know the old password: they could have made one.
          </p>
        </div>
        {error && about === null && <Callout tone="bad">{error.detail}</Callout>}
      </form>
    </DialogContent>
  );
}
