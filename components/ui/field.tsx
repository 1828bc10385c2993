'use client';
import { useId } from 'react';
import { cn } from './cn';

export type FieldControl = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true };

/** A label, a control, a hint and an error, tied together by id. Spread the given props on the control. */
export function Field({
  label,
  hint,
  error,
  className,
  children,
}: {
  label: React.ReactNode;
  hint?: React.ReactNode;
  error?: React.ReactNode;
  className?: string;
  children: (control: FieldControl) => React.ReactNode;
}) {
  const id = useId();
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div data-slot="field" className={cn('flex flex-col gap-1', className)}>
      <label htmlFor={id} className="font-medium text-fg text-xs">
        {label}
      </label>
      {children({
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className="text-faint text-xs">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-bad text-xs">
          {error}
        </p>
      )}
    </div>
  );
}
