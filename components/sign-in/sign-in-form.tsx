'use client';
import { useRef, useState } from 'react';
import { Button } from '@/components/ui/controls/button';
import { Field } from '@/components/ui/controls/field';
import { Input } from '@/components/ui/controls/input';
import { PasswordInput } from '@/components/ui/controls/password-input';
import { useHydrated } from '@/components/ui/text/clock-provider';
import { PASSWORD_MAX_CHARS } from '@/lib/contract/access/access-limits';

/** Name and password. The page shows the error. */
export function SignInForm({
  pending,
  onSubmit,
}: {
  pending: boolean;
  /** Resolves with false when it was refused; the password is then cleared. */
  onSubmit: (input: { name: string; password: string }) => Promise<boolean>;
}) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const form = useRef<HTMLFormElement>(null);
  const hydrated = useHydrated();
  const submit = async () => {
    if (await onSubmit({ name: name.trim(), password })) return;
    setPassword('');
    form.current?.querySelector<HTMLInputElement>('[name=password]')?.focus();
  };
  return (
    <form
      ref={form}
      // A submit without JavaScript must not put the password into the URL.
      method="post"
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!pending) void submit();
      }}
    >
      <Field label="Name">
        {(control) => (
          <Input
            {...control}
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            autoCorrect="off"
            autoFocus
            required
            maxLength={200}
            className="h-9"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <Field label="Password">
        {(control) => (
          <PasswordInput
            {...control}
            name="password"
            autoComplete="current-password"
            required
            maxLength={PASSWORD_MAX_CHARS}
            className="h-9"
            value={password}
            onChange={({ target }) => setPassword(target.value)}
          />
        )}
      </Field>
      <Button
        type="submit"
        variant="primary"
        className="mt-1 h-9 w-full"
        disabled={!hydrated}
        pending={pending}
      >
        Sign in
      </Button>
    </form>
  );
}
