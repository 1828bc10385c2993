'use client';
import { Switch as S } from 'radix-ui';
import { useId } from 'react';
import { cn } from '../cn';

/** On or off, at once. `label` is shown beside it; without one, pass `aria-label`. */
export function Switch({
  className,
  label,
  id,
  ...props
}: React.ComponentProps<typeof S.Root> & { label?: React.ReactNode }) {
  const own = useId();
  const control = (
    <S.Root
      id={id ?? own}
      className={cn(
        'relative inline-flex h-4.5 w-8 shrink-0 items-center rounded-full border border-control bg-sunken px-px transition-colors before:absolute before:-inset-1 before:content-[""] disabled:opacity-50 data-[state=checked]:border-accent-solid data-[state=checked]:bg-accent-solid',
        className,
      )}
      {...props}
    >
      <S.Thumb className="block size-3.5 rounded-full bg-control transition-transform data-[state=checked]:translate-x-3.5 data-[state=checked]:bg-accent-ink" />
    </S.Root>
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
