'use client';
import { useId } from 'react';
import { cn } from '../cn';

/** On or off, at once. `label` is shown beside it; without one, pass `aria-label`. */
export function Switch({
  className,
  label,
  id,
  checked,
  onCheckedChange,
  ...props
}: Omit<React.ComponentProps<'button'>, 'children' | 'onClick' | 'type'> & {
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  label?: React.ReactNode;
}) {
  const own = useId();
  const control = (
    <button
      id={id ?? own}
      type="button"
      role="switch"
      aria-checked={checked}
      data-state={checked ? 'checked' : 'unchecked'}
      onClick={() => onCheckedChange(!checked)}
      className={cn(
        'relative inline-flex h-4.5 w-8 shrink-0 items-center rounded-full border border-control bg-sunken px-px transition-colors before:absolute before:-inset-1 before:content-[""] disabled:opacity-50 data-[state=checked]:border-accent-solid data-[state=checked]:bg-accent-solid',
        className,
      )}
      {...props}
    >
      <span
        className={cn(
          'block size-3.5 rounded-full transition-transform',
          checked ? 'translate-x-3.5 bg-accent-ink' : 'bg-control',
        )}
      />
    </button>
  );
  if (!label) return control;
  return (
    <span className="inline-flex min-h-6 items-center gap-2">
      {control}
      <label htmlFor={id ?? own} className="select-none text-sm">
        {label}
      </label>
    </span>
  );
}
