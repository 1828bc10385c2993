'use client';
import { X } from '@/components/ui/icons';
import { Button } from './controls/button';

interface Chip {
  readonly text: string;
  readonly title?: string;
}

/** Conditions of a query, each with a button that removes it. */
export function Chips({
  label,
  items,
  onRemove,
  onClear,
}: {
  label: string;
  items: readonly Chip[];
  onRemove: (index: number) => void;
  onClear: () => void;
}) {
  if (items.length === 0) return null;
  return (
    <ul aria-label={label} className="flex flex-wrap items-center gap-1.5">
      {items.map(({ text, title }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same condition may stand there twice.
        <li key={`${index} ${text}`} className="min-w-0 max-w-full">
          <button
            type="button"
            title={title}
            onClick={() => onRemove(index)}
            className="group inline-flex h-6 max-w-full items-center gap-1 rounded border border-accent/35 bg-soft-info px-1.5 text-xs hover:border-accent"
          >
            <span translate="no" className="truncate font-mono">
              {text}
            </span>
            <X aria-hidden className="size-3 shrink-0 text-faint group-hover:text-fg" />
            <span className="sr-only">: take this condition away</span>
          </button>
        </li>
      ))}
      {items.length > 1 && (
        <li>
          <Button size="sm" variant="ghost" onClick={onClear}>
            Clear all
          </Button>
        </li>
      )}
    </ul>
  );
}
