'use client';
import { Check, Minus } from 'lucide-react';
import { Checkbox as C } from 'radix-ui';
import { useId } from 'react';
import { cn } from '../cn';

type Props = Omit<React.ComponentProps<typeof C.Root>, 'onCheckedChange' | 'children'> & {
  onCheckedChange?: (checked: boolean) => void;
  /** Shown beside it; without one, pass `aria-label`. */
  label?: React.ReactNode;
};

/** The box is 16px, its hit area 24px. `checked` may be `'indeterminate'`. */
export function Checkbox({ className, label, id, onCheckedChange, ...props }: Props) {
  const own = useId();
  const box = (
    <C.Root
      id={id ?? own}
      onCheckedChange={(value) => onCheckedChange?.(value === true)}
      className={cn(
        'relative inline-flex size-4 shrink-0 items-center justify-center rounded-sm border border-control bg-panel text-accent-ink before:absolute before:-inset-1 before:content-[""] hover:border-muted disabled:opacity-50 data-[state=checked]:border-accent-solid data-[state=indeterminate]:border-accent-solid data-[state=checked]:bg-accent-solid data-[state=indeterminate]:bg-accent-solid',
        className,
      )}
      {...props}
    >
      <C.Indicator className="group">
        <Check aria-hidden strokeWidth={3} className="size-3 group-data-[state=indeterminate]:hidden" />
        <Minus aria-hidden strokeWidth={3} className="size-3 group-data-[state=checked]:hidden" />
      </C.Indicator>
    </C.Root>
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
