'use client';
import { useId } from 'react';
import { Check, Minus } from '@/components/ui/icons';
import { cn } from '../cn';

type Props = Omit<React.ComponentProps<'button'>, 'children' | 'type'> & {
  checked: boolean | 'indeterminate';
  onCheckedChange?: (checked: boolean) => void;
  /** Shown beside it; without one, pass `aria-label`. */
  label?: React.ReactNode;
};

/** The box is 16px, its hit area 24px. `checked` may be `'indeterminate'`. */
export function Checkbox({ className, label, id, checked, onCheckedChange, onClick, ...props }: Props) {
  const own = useId();
  const box = (
    // biome-ignore lint/a11y/useSemanticElements: a native box cannot hold the icons
    <button
      id={id ?? own}
      type="button"
      role="checkbox"
      aria-checked={checked === 'indeterminate' ? 'mixed' : checked}
      data-state={checked === 'indeterminate' ? checked : checked ? 'checked' : 'unchecked'}
      onClick={(event) => {
        onClick?.(event);
        onCheckedChange?.(checked !== true);
      }}
      onKeyDown={(event) => {
        // Of a box only the space bar is the key.
        if (event.key === 'Enter') event.preventDefault();
      }}
      className={cn(
        'relative inline-flex size-4 shrink-0 items-center justify-center rounded-sm border border-control bg-panel text-accent-ink before:absolute before:-inset-1 before:content-[""] hover:border-muted disabled:opacity-50 data-[state=checked]:border-accent-solid data-[state=indeterminate]:border-accent-solid data-[state=checked]:bg-accent-solid data-[state=indeterminate]:bg-accent-solid',
        className,
      )}
      {...props}
    >
      {checked === true && <Check aria-hidden strokeWidth={3} className="size-3" />}
      {checked === 'indeterminate' && <Minus aria-hidden strokeWidth={3} className="size-3" />}
    </button>
  );
  if (!label) return box;
  return (
    <span className="inline-flex min-h-6 items-center gap-2">
      {box}
      <label htmlFor={id ?? own} className="select-none text-sm">
        {label}
      </label>
    </span>
  );
}
