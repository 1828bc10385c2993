'use client';
import { useState } from 'react';
import { Eye, EyeOff } from '@/components/ui/icons';
import { cn } from '../cn';
import { Input } from './input';

/** A password field that can show its text. */
export function PasswordInput({ className, ...props }: React.ComponentProps<typeof Input>) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <span className="relative block w-full">
      <Input
        {...props}
        type={shown ? 'text' : 'password'}
        autoCapitalize="none"
        autoCorrect="off"
        className={cn('pr-9', className)}
      />
      <button
        type="button"
        aria-label="Show the password"
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-0 flex w-8 items-center justify-center rounded text-faint hover:text-fg"
      >
        <Icon aria-hidden className="size-4" />
      </button>
    </span>
  );
}
