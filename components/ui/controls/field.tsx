'use client';
import { useId } from 'react';
import { cn } from '../cn';
import { Input } from './input';

export type FieldControl = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true };

type FieldProps = {
  label: React.ReactNode;
  hint?: React.ReactNode;
  /** A value that the form takes and that is likely wrong. */
  warning?: React.ReactNode;
  error?: React.ReactNode;
  className?: string;
};

/** A label, a control, a hint and an error, tied together by id. Spread the given props on the control. */
export function Field({
  label,
  hint,
  warning,
  error,
  className,
  children,
}: FieldProps & { children: (control: FieldControl) => React.ReactNode }) {
  const id = useId();
  const described = [hint ? `${id}-hint` : '', warning ? `${id}-warning` : '', error ? `${id}-error` : '']
    .filter(Boolean)
    .join(' ');
  return (
    <div className={cn('flex flex-col gap-1', className)}>
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
      {warning && (
        <p id={`${id}-warning`} role="status" className="text-warn text-xs [overflow-wrap:anywhere]">
          {warning}
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

/** A field with a text input; `className` is the input's. */
export function TextField({
  label,
  hint,
  warning,
  error,
  fieldClassName,
  ...input
}: Omit<FieldProps, 'className'> & { fieldClassName?: string } & React.ComponentProps<typeof Input>) {
  return (
    <Field label={label} hint={hint} warning={warning} error={error} className={fieldClassName}>
      {(control) => <Input {...control} {...input} />}
    </Field>
  );
}
