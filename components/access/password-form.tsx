'use client';
import { useState } from 'react';
import { Callout } from '@/components/ui/callout';
import { Field } from '@/components/ui/field';
import { PasswordInput } from '@/components/ui/password-input';
import { ApiError } from '@/lib/client/api';
import { PASSWORD_MAX_CHARS } from '@/lib/contract/access';

/** The password of somebody whose name is known. Its button stands in the dialog's footer. */
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
      {/* For password managers: whose password it is. */}
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
