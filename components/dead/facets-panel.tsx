'use client';
import { cn } from '@/components/ui/cn';
import { DataAge } from '@/components/ui/relative-time';
import { useFacets } from '@/lib/client/use-dead';
import { FACET_MAX_VALUES, type Facets } from '@/lib/contract/dead';
import type { Filter } from '@/lib/contract/query';
import { full } from '@/lib/format/number';
import { FacetList } from './facet-list';
import { FACET_FIELDS } from './terms';

/** What the matches have in common; counts follow the query. A click narrows to a value, another takes that back. */
export function FacetsPanel({
  q,
  filter,
  onSearch,
  className,
}: {
  q: string;
  filter: Filter;
  onSearch: (q: string) => void;
  className?: string;
}) {
  const { data, error, isPlaceholderData } = useFacets(q);
  return (
    <aside
      aria-label="Facets"
      aria-busy={isPlaceholderData || undefined}
      className={cn('space-y-3', isPlaceholderData && 'opacity-60', className)}
    >
      {error && !data ? (
        <p className="px-1.5 text-bad text-xs">The facets could not be loaded: {error.detail}</p>
      ) : (
        <>
          <div className="flex min-h-4 flex-wrap items-center gap-x-2 px-1.5 text-2xs text-faint">
            <p>{data ? basisWords(data) : ''}</p>
            <DataAge at={data?.at} staleAfterMs={20_000} />
          </div>
          {FACET_FIELDS.map((field) => (
            <FacetList
              key={field}
              field={field}
              values={data?.facets[field] ?? null}
              most={FACET_MAX_VALUES}
              filter={filter}
              onSearch={onSearch}
            />
          ))}
        </>
      )}
    </aside>
  );
}

/** What the counts are of. */
const basisWords = ({ sampled, ageSampled, matching }: Facets): string => {
  if (sampled !== null) return `Counts are of the newest ${full(sampled)} that match.`;
  const all = `Counts are of all ${full(matching.count)} that match`;
  return ageSampled === null ? `${all}.` : `${all}, ages of the newest ${full(ageSampled)}.`;
};
