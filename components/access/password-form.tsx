'use client';
import { useState } from 'react';
import { Callout } from '@/components/ui/callout';
import { Field } from '@/components/ui/controls/field';
import { PasswordInput } from '@/components/ui/controls/password-input';
import { ApiError } from '@/lib/browser/api/api-client';
import { PASSWORD_MAX_CHARS } from '@/lib/contract/access/access-limits';

/** Asks for the password of a known user; the submit button is in the dialog's footer. */
export function PasswordForm({
  id,
  name,
  send,
  onDone,
  onPending,
}: {
  id: string;
  name: string;
  send: (password: string) => Promise<void>;
  onDone: () => void;
  onPending: (pending: boolean) => void;
}) {
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async () => {
    onPending(true);
    try {
      await send(password);
      onDone();
    } catch (error) {
      setPassword('');
      setProblem(error instanceof ApiError ? error.detail : 'It failed. Try again.');
    } finally {
      onPending(false);
    }
  };
  return (
    <form
      id={id}
      method="post"
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (password !== '') void submit();
      }}
    >
      {/* Tells password managers the user. */}
      <input type="text" name="username" autoComplete="username" value={name} readOnly hidden />
      <Field label={`Password of ${name}`}>
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
      {problem && <Callout tone="bad">{problem}</Callout>}
    </form>
  );
}
