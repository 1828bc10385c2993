'use client';
import { useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { useHydrated } from '@/components/ui/now';
import { PasswordInput } from '@/components/ui/password-input';
import { PASSWORD_MAX_CHARS } from '@/lib/contract/access';

/** Name and password. What is wrong is said by whoever shows this form. */
export function LocalForm({
  pending,
  onSubmit,
}: {
  pending: boolean;
  /** Resolves with false when it was refused: the password is then typed anew. */
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
      // Should the browser ever send it by itself, the password must not stand in an address.
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
