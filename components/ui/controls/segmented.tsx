'use client';
import type { KeyboardEvent } from 'react';
import { cn } from '../cn';

const STEPS: Partial<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** One of a few, all in sight (a time range, say). Tab reaches one of them, the arrows the others. */
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
  const chosen = options.some((o) => o.value === value) ? value : options[0]?.value;
  return (
    <div
      role="radiogroup"
      aria-label={label}
      onKeyDown={moveFocus}
      className={cn(
        'inline-flex h-7 items-center rounded border border-line-strong bg-sunken p-px',
        className,
      )}
    >
      {options.map((o) => (
        // biome-ignore lint/a11y/useSemanticElements: a native radio button cannot look like a button
        <button
          key={o.value}
          type="button"
          role="radio"
          aria-checked={o.value === value}
          tabIndex={o.value === chosen ? 0 : -1}
          data-state={o.value === value ? 'on' : 'off'}
          onClick={() => o.value !== value && onChange(o.value)}
          className="h-6 min-w-7 rounded-sm px-2 text-muted text-xs hover:text-fg data-[state=on]:bg-panel data-[state=on]:font-medium data-[state=on]:text-fg data-[state=on]:ring-1 data-[state=on]:ring-line-strong"
        >
          {o.label}
        </button>
      ))}
    </div>
  );
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll('button')];
  const at = items.indexOf(event.target as HTMLButtonElement);
  const step = STEPS[event.key];
  const next =
    event.key === 'Home'
      ? 0
      : event.key === 'End'
        ? items.length - 1
        : step && (at + step + items.length) % items.length;
  if (next === undefined || at < 0) return;
  event.preventDefault();
  items[next]?.focus();
}
