'use client';
import { ToggleGroup as G } from 'radix-ui';
import { cn } from '../cn';

/** One of a few, all in sight (a time range, say). */
export function Segmented<T extends string>({
  label,
  value,
  options,
  onChange,
  className,
}: {
  label: string;
  value: T;
  options: readonly { value: T; label: string }[];
  onChange: (value: T) => void;
  className?: string;
}) {
  return (
    <G.Root
      type="single"
      aria-label={label}
      value={value}
      onValueChange={(v) => v && onChange(v as T)}
      className={cn(
        'inline-flex h-7 items-center rounded border border-line-strong bg-sunken p-px',
        className,
      )}
    >
      {options.map((o) => (
        <G.Item
          key={o.value}
          value={o.value}
          className="h-6 min-w-7 rounded-sm px-2 text-muted text-xs hover:text-fg data-[state=on]:bg-panel data-[state=on]:font-medium data-[state=on]:text-fg data-[state=on]:ring-1 data-[state=on]:ring-line-strong"
        >
          {o.label}
        </G.Item>
      ))}
    </G.Root>
  );
}
