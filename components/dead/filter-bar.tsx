'use client';
import { ListFilter, X } from 'lucide-react';
import type { RefObject } from 'react';
import { Button } from '@/components/ui/button';
import { Select } from '@/components/ui/select';
import type { DeadFacets, DeadFilter } from '@/lib/contract/dead';
import { CLASS_MEANING, type ErrorClass } from '@/lib/contract/failures';
import { full } from '@/lib/format/number';
import { AgeFilter } from './age-filter';
import { FACET_FIELDS, type FacetField, FIELD_WORD, filterParts } from './filter';
import type { DeadView } from './use-dead-view';

const ANY: Readonly<Record<FacetField, string>> = {
  queue: 'Any queue',
  class: 'Any class',
  code: 'Any code',
  type: 'Any type',
  tenant: 'Any tenant',
};

/** What narrows the list, and what narrows it already. */
export function FilterBar({
  view,
  facets,
  bar,
}: {
  view: DeadView;
  facets: DeadFacets | null;
  bar: RefObject<HTMLDivElement | null>;
}) {
  const { filter, narrow, clear } = view;
  const parts = filterParts(filter);
  return (
    <section ref={bar} aria-label="Filter" className="space-y-1.5 px-3 py-2">
      <div className="flex flex-wrap items-center gap-1.5 max-sm:grid max-sm:grid-cols-2">
        {FACET_FIELDS.map((field) => (
          <Select
            key={field}
            aria-label={FIELD_WORD[field]}
            className="w-32 max-sm:w-full"
            placeholder={ANY[field]}
            value={filter[field] ?? ''}
            options={optionsOf(field, filter[field], facets)}
            onChange={(event) => narrow({ [field]: event.target.value || undefined })}
          />
        ))}
        <AgeFilter filter={filter} narrow={narrow} />
        <Button
          variant="ghost"
          className="ml-auto max-lg:hidden"
          aria-pressed={view.facets}
          onClick={() => view.setFacets(!view.facets)}
        >
          <ListFilter aria-hidden />
          {view.facets ? 'Hide facets' : 'Show facets'}
        </Button>
      </div>
      {parts.length > 0 && (
        <ul aria-label="Active filters" className="flex flex-wrap items-center gap-1.5">
          {parts.map((part) => (
            <li key={part.key}>
              <button
                type="button"
                title={part.key === 'class' ? CLASS_MEANING[part.value as ErrorClass] : undefined}
                onClick={() => narrow({ [part.key]: undefined } satisfies Partial<DeadFilter>)}
                className="group inline-flex h-6 items-center gap-1 rounded border border-accent/35 bg-soft-info px-1.5 text-xs hover:border-accent"
              >
                <span className="text-muted">{part.name}</span>
                <span className="font-medium">{part.value}</span>
                <X aria-hidden className="size-3 text-faint group-hover:text-fg" />
                <span className="sr-only">Remove this filter</span>
              </button>
            </li>
          ))}
          <li>
            <Button size="sm" variant="ghost" onClick={clear}>
              Clear all
            </Button>
          </li>
        </ul>
      )}
    </section>
  );
}

/** The values that occur, most first, and the chosen one also when it occurs no more. */
function optionsOf(field: FacetField, chosen: string | undefined, facets: DeadFacets | null) {
  const known = facets?.[field] ?? [];
  const options = known.map(({ value, count }) => ({
    value,
    label: `${value} (${full(count)})`,
  }));
  if (chosen !== undefined && !known.some(({ value }) => value === chosen)) {
    options.unshift({ value: chosen, label: facets ? `${chosen} (0)` : chosen });
  }
  return options;
}
