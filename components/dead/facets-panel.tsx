'use client';
import { cn } from '@/components/ui/cn';
import { Num } from '@/components/ui/number';
import { Skeleton } from '@/components/ui/skeleton';
import type { DeadFacets, DeadFilter } from '@/lib/contract/dead';
import { CLASS_MEANING, type ErrorClass } from '@/lib/contract/failures';
import { FACET_FIELDS, type FacetField, FIELD_WORD } from './filter';

const SHOWN = 7;

/** What the dead have in common. A click narrows the list to a value, another takes that back. */
export function FacetsPanel({
  facets,
  filter,
  narrow,
  className,
}: {
  facets: DeadFacets | null;
  filter: DeadFilter;
  narrow: (patch: Partial<DeadFilter>) => void;
  className?: string;
}) {
  return (
    <aside aria-label="Facets" className={cn('space-y-3', className)}>
      {FACET_FIELDS.map((field) => (
        <Facet
          key={field}
          field={field}
          values={facets?.[field] ?? null}
          chosen={filter[field]}
          onChoose={(value) => narrow({ [field]: value })}
        />
      ))}
      <p className="text-2xs text-faint">
        Counts are of all that is dead {filter.queue ? `in ${filter.queue}` : 'in every queue'}, whatever else
        is filtered.
      </p>
    </aside>
  );
}

function Facet({
  field,
  values,
  chosen,
  onChoose,
}: {
  field: FacetField;
  values: readonly { value: string; count: number }[] | null;
  chosen: string | undefined;
  onChoose: (value: string | undefined) => void;
}) {
  const top = values?.[0]?.count ?? 1;
  const shown = values?.filter(({ value }, i) => i < SHOWN || value === chosen);
  return (
    <section aria-label={FIELD_WORD[field]}>
      <h3 className="mb-0.5 px-1.5 font-medium text-faint text-xs">{FIELD_WORD[field]}</h3>
      {!shown && <FacetSkeleton />}
      {shown?.length === 0 && <p className="px-1.5 text-faint text-xs">none</p>}
      <ul>
        {shown?.map(({ value, count }) => {
          const active = value === chosen;
          return (
            <li key={value}>
              <button
                type="button"
                aria-pressed={active}
                title={field === 'class' ? CLASS_MEANING[value as ErrorClass] : value}
                onClick={() => onChoose(active ? undefined : value)}
                className={cn(
                  'relative flex h-6 w-full items-center gap-2 overflow-hidden rounded-sm px-1.5 text-left text-xs hover:bg-hover',
                  active && 'font-medium text-accent ring-1 ring-accent ring-inset',
                )}
              >
                <span
                  aria-hidden
                  className={cn(
                    'absolute inset-y-0.5 left-0 rounded-xs',
                    active ? 'bg-accent/14' : 'bg-bad/9',
                  )}
                  style={{ width: `${Math.max(2, (count / top) * 100)}%` }}
                />
                <span className="relative min-w-0 flex-1 truncate">{value}</span>
                <Num value={count} className="relative text-muted" />
              </button>
            </li>
          );
        })}
      </ul>
      {values && shown && values.length > shown.length && (
        <p className="px-1.5 text-2xs text-faint">
          and {values.length - shown.length} more in the filter above
        </p>
      )}
    </section>
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
