import { ChevronDown } from '@/components/ui/icons';
import { cn } from '../cn';
import { controlStyles } from './input';

type SelectOption = { value: string; label: string; disabled?: boolean };

/** The browser's own select: best keyboard and phone behaviour for short lists, and no script. */
export function Select({
  options,
  className,
  placeholder,
  ...props
}: React.ComponentProps<'select'> & { options: readonly SelectOption[]; placeholder?: string }) {
  return (
    <span className={cn('relative inline-block w-full', className)}>
      <select {...props} className={cn(controlStyles, 'h-7 appearance-none pr-7 pl-2')}>
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map((o) => (
          <option key={o.value} value={o.value} disabled={o.disabled}>
            {o.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2 size-3.5 -translate-y-1/2 text-faint"
      />
    </span>
  );
}
