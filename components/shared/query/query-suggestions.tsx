'use client';
import { useEffect, useRef } from 'react';
import { cn } from '@/components/ui/cn';
import { Num } from '@/components/ui/text/number';

export interface QuerySuggestion {
  /** The text it inserts … */
  readonly insert: string;
  /** … over the text between these positions. */
  readonly from: number;
  readonly to: number;
  /** One word on what it is ("field", "value"). */
  readonly kind: string;
  readonly hint: string | null;
  /** How often it occurs. */
  readonly count: number | null;
}

/** The list under the field. The focus stays in the field: `active` is only marked. */
export function QuerySuggestions({
  id,
  label,
  options,
  active,
  onAccept,
}: {
  id: string;
  label: string;
  options: readonly QuerySuggestion[];
  active: number;
  onAccept: (option: QuerySuggestion) => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (active >= 0) list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div className="absolute top-full right-0 left-0 z-40 mt-1 overflow-hidden rounded-md border border-line-strong bg-raised">
      <ul
        ref={list}
        id={`${id}-list`}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the list of a combobox; the field has the focus.
        role="listbox"
        aria-label={`Suggestions: ${label}`}
        className="max-h-72 overflow-y-auto p-1"
      >
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the combobox keeps the focus and points here by aria-activedescendant.
          // biome-ignore lint/a11y/useKeyWithClickEvents: its keys are the field's.
          <li
            key={`${option.kind} ${option.insert}`}
            id={`${id}-${index}`}
            // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: an option of that list.
            role="option"
            aria-selected={index === active}
            // Else the field would lose the focus before the click arrives.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onAccept(option)}
            className={cn(
              'flex min-h-7 cursor-default items-center gap-3 rounded-sm px-2 text-sm hover:bg-hover',
              index === active && 'bg-hover',
            )}
          >
            <span translate="no" className="min-w-0 max-w-3/5 shrink-0 truncate font-mono text-xs">
              {option.insert}
            </span>
            <span className="min-w-0 flex-1 truncate text-faint text-xs">
              {option.hint ?? (option.count === null ? option.kind : '')}
            </span>
            {option.count !== null && <Num value={option.count} className="text-muted text-xs" />}
          </li>
        ))}
      </ul>
      <p aria-hidden className="border-line border-t px-3 py-1 text-2xs text-faint max-sm:hidden">
        ↑ ↓ choose · Enter takes it, or searches when none is chosen · Esc closes
      </p>
    </div>
  );
}
