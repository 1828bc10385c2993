'use client';
import { Ban } from 'lucide-react';
import { useState } from 'react';
import { cn } from '@/components/ui/cn';
import { Num } from '@/components/ui/number';
import { Skeleton } from '@/components/ui/skeleton';
import type { FacetValue } from '@/lib/contract/dead';
import { CLASS_MEANING, type ErrorClass } from '@/lib/contract/failures';
import type { Filter } from '@/lib/contract/query';
import { full } from '@/lib/format/number';
import { excluding, FACET_WORD, type FacetField, isChosen, toggled } from './terms';

const SHOWN = 6;

/** One facet: its values with their counts, most first. */
export function FacetList({
  field,
  values,
  most,
  filter,
  onSearch,
}: {
  field: FacetField;
  /** Null until they are known. */
  values: readonly FacetValue[] | null;
  /** How many values come at most. */
  most: number;
  filter: Filter;
  onSearch: (q: string) => void;
}) {
  const [all, setAll] = useState(false);
  const known = values?.filter(({ count }) => count > 0) ?? null;
  const top = Math.max(1, ...(known?.map(({ count }) => count) ?? []));
  const shown = known?.filter(({ value }, i) => all || i < SHOWN || isChosen(filter, field, value));
  const hidden = (known?.length ?? 0) - (shown?.length ?? 0);
  return (
    <section aria-label={FACET_WORD[field]}>
      <h3 className="mb-0.5 px-1.5 font-medium text-faint text-xs">{FACET_WORD[field]}</h3>
      {!shown && <FacetSkeleton />}
      {shown?.length === 0 && <p className="px-1.5 text-faint text-xs">none</p>}
      <ul className={cn(all && 'max-h-72 overflow-y-auto')}>
        {shown?.map((entry) => (
          <FacetRow
            key={entry.value}
            field={field}
            entry={entry}
            share={entry.count / top}
            filter={filter}
            onSearch={onSearch}
          />
        ))}
      </ul>
      {(hidden > 0 || all) && (
        <button
          type="button"
          aria-expanded={all}
          onClick={() => setAll(!all)}
          className="h-6 rounded-sm px-1.5 text-accent text-xs hover:underline"
        >
          {all
            ? 'Fewer'
            : `${full(hidden)} more${values && values.length >= most ? ` (of the first ${full(most)})` : ''}`}
        </button>
      )}
    </section>
  );
}

function FacetRow({
  field,
  entry: { value, count },
  share,
  filter,
  onSearch,
}: {
  field: FacetField;
  entry: FacetValue;
  share: number;
  filter: Filter;
  onSearch: (q: string) => void;
}) {
  const chosen = isChosen(filter, field, value);
  return (
    <li className="group/value relative flex">
      <button
        type="button"
        aria-pressed={chosen}
        title={field === 'class' ? CLASS_MEANING[value as ErrorClass] : value}
        onClick={() => onSearch(toggled(filter, field, value))}
        className={cn(
          'relative flex h-6 min-w-0 flex-1 items-center gap-2 overflow-hidden rounded-sm px-1.5 text-left text-xs hover:bg-hover',
          chosen && 'font-medium text-accent ring-1 ring-accent ring-inset',
        )}
      >
        <span
          aria-hidden
          className={cn('absolute inset-y-0.5 left-0 rounded-xs', chosen ? 'bg-accent/14' : 'bg-bad/9')}
          style={{ width: `${Math.max(2, share * 100)}%` }}
        />
        <span className="relative min-w-0 flex-1 truncate">{value}</span>
        <Num value={count} className="relative text-muted" />
      </button>
      <button
        type="button"
        aria-label={`All but ${value}`}
        title={`All but ${value}`}
        onClick={() => onSearch(excluding(filter, field, value))}
        className="flex size-6 shrink-0 items-center justify-center rounded-sm text-faint opacity-0 hover:bg-hover hover:text-fg focus-visible:opacity-100 group-hover/value:opacity-100 pointer-coarse:opacity-100"
      >
        <Ban aria-hidden className="size-3" />
      </button>
    </li>
  );
}

function FacetSkeleton() {
  return (
    <div aria-hidden className="space-y-2 px-1.5 py-1">
      <Skeleton className="w-4/5" />
      <Skeleton className="w-3/5" />
      <Skeleton className="w-2/5" />
    </div>
  );
}
