'use client';
import { Keyboard, PanelRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { Chips } from '@/components/ui/chips';
import { IconButton } from '@/components/ui/icon-button';
import { QueryInput } from '@/components/ui/query-input';
import { fieldOf, type QueryBar } from '@/lib/client/use-query-bar';
import { SavedSearches } from './saved-searches';
import type { DeadView } from './use-dead-view';

/** The query, the conditions it consists of, and what is kept beside it. */
export function QueryHead({
  bar,
  view,
  phoneFacets,
  onKeys,
}: {
  bar: QueryBar;
  view: DeadView;
  phoneFacets: ReactNode;
  onKeys: () => void;
}) {
  return (
    <div className="space-y-1.5 px-3 py-2">
      <div className="flex items-start gap-1.5">
        <QueryInput
          label="Query"
          placeholder="type:invoice.* class:retryable age:>1h “free text”"
          {...fieldOf(bar)}
        />
        <SavedSearches q={view.q} onSearch={view.search} />
        {phoneFacets}
        <Button
          variant="secondary"
          className="h-8 max-lg:hidden"
          aria-pressed={view.facets}
          onClick={() => view.setFacets(!view.facets)}
        >
          <PanelRight aria-hidden />
          Facets
        </Button>
        <IconButton label="Keyboard" size="lg" className="max-md:hidden" onClick={onKeys}>
          <Keyboard aria-hidden />
        </IconButton>
      </div>
      <Chips label="Conditions" items={bar.terms} onRemove={bar.removeTerm} onClear={bar.clear} />
    </div>
  );
}
