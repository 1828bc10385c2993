'use client';
import { useState } from 'react';
import { cn } from '@/components/ui/cn';
import { Ban } from '@/components/ui/icons';
import { Skeleton } from '@/components/ui/skeleton';
import { Num } from '@/components/ui/text/number';
import { DataAge } from '@/components/ui/text/relative-time';
import { useFacets } from '@/lib/browser/search/use-dead-letters';
import { ERROR_CLASS_MEANING, type ErrorClass } from '@/lib/contract/jobs/error-classes';
import type { Filter } from '@/lib/contract/search/query';
import { FACET_MAX_VALUES } from '@/lib/contract/search/search-limits';
import type { Facets, FacetValue } from '@/lib/contract/search/search-schemas';
import { fullNumber } from '@/lib/format/number';
import { FACET_LABELS, facetValueLabel } from './labels';
import { excludeFacet, type FacetField, isFacetActive, toggleFacet } from './query-terms';

const FACET_FIELDS = Object.keys(FACET_LABELS) as FacetField[];

/** The number of matches by value of each field. A click adds the value to the query, a second click removes it. */
export function FacetsPanel({
  q,
  filter,
  withGroups,
  onSearch,
}: {
  q: string;
  filter: Filter;
  withGroups: boolean;
  onSearch: (q: string) => void;
}) {
  const { data, error, isPlaceholderData } = useFacets(q, withGroups);
  return (
    <aside
      aria-label="Facets"
      aria-busy={isPlaceholderData || undefined}
      className={cn('space-y-3', isPlaceholderData && 'opacity-60')}
    >
      {error && !data ? (
        <p className="px-1.5 text-bad text-xs">Could not load the facets: {error.detail}</p>
      ) : (
        <>
          <div className="flex min-h-4 flex-wrap items-center gap-x-2 px-1.5 text-2xs text-faint">
            <p>{data ? basisWords(data) : ''}</p>
            <DataAge at={data?.at} staleAfterMs={20_000} />
          </div>
          {/* The length of a list is not known before: all appear together, so that none moves another. */}
          {!data && <FacetSkeleton />}
          {data &&
            FACET_FIELDS.map((field) => (
              <FacetList
                key={field}
                field={field}
                values={data.facets[field] ?? []}
                filter={filter}
                onSearch={onSearch}
              />
            ))}
        </>
      )}
    </aside>
  );
}

/** Which matches the counts cover. */
const basisWords = ({ sampled, ageSampled, matching }: Facets): string => {
  if (sampled !== null) return `Counts cover the newest ${fullNumber(sampled)} matches.`;
  const all = `Counts cover all ${fullNumber(matching.count)} matches`;
  return ageSampled === null ? `${all}.` : `${all}, ages the newest ${fullNumber(ageSampled)}.`;
};

const SHOWN = 6;

/** One facet: its values with their counts, the highest first. */
function FacetList({
  field,
  values,
  filter,
  onSearch,
}: {
  field: FacetField;
  values: readonly FacetValue[];
  filter: Filter;
  onSearch: (q: string) => void;
}) {
  const [expanded, setExpanded] = useState(false);
  const present = values.filter(({ count }) => count > 0);
  const top = Math.max(1, ...present.map(({ count }) => count));
  const shown = present.filter(
    ({ value }, i) => expanded || i < SHOWN || isFacetActive(filter, field, value),
  );
  const hidden = present.length - shown.length;
  return (
    <section aria-label={FACET_LABELS[field]}>
      <h3 className="mb-0.5 px-1.5 font-medium text-faint text-xs">{FACET_LABELS[field]}</h3>
      {shown.length === 0 && <p className="px-1.5 text-faint text-xs">none</p>}
      <ul className={cn(expanded && 'max-h-72 overflow-y-auto')}>
        {shown.map((entry) => (
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
      {(hidden > 0 || expanded) && (
        <button
          type="button"
          aria-expanded={expanded}
          onClick={() => setExpanded(!expanded)}
          className="h-6 rounded-sm px-1.5 text-accent text-xs hover:underline"
        >
          {expanded
            ? 'Fewer'
            : `${fullNumber(hidden)} more${values.length >= FACET_MAX_VALUES ? ` (of the first ${fullNumber(FACET_MAX_VALUES)})` : ''}`}
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
  const active = isFacetActive(filter, field, value);
  const label = facetValueLabel(field, value);
  return (
    <li className="group/value relative flex">
      <button
        type="button"
        aria-pressed={active}
        title={field === 'class' ? ERROR_CLASS_MEANING[value as ErrorClass] : label}
        onClick={() => onSearch(toggleFacet(filter, field, value))}
        className={cn(
          'relative flex h-6 min-w-0 flex-1 items-center gap-2 overflow-hidden rounded-sm px-1.5 text-left text-xs hover:bg-hover',
          active && 'font-medium text-accent ring-1 ring-accent ring-inset',
        )}
      >
        <span
          aria-hidden
          className={cn('absolute inset-y-0.5 left-0 rounded-xs', active ? 'bg-accent/14' : 'bg-bad/9')}
          style={{ width: `${Math.max(2, share * 100)}%` }}
        />
        <span className="relative min-w-0 flex-1 truncate">{label}</span>
        <Num value={count} className="relative text-muted" />
      </button>
      <button
        type="button"
        aria-label={`All but ${label}`}
        title={`All but ${label}`}
        onClick={() => onSearch(excludeFacet(filter, field, value))}
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
