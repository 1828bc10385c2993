'use client';
import { type ReactNode, useState } from 'react';
import { useOpenJob } from '@/components/shared/job-lists/use-open-job';
import { QueryInput } from '@/components/shared/query-input';
import { InvalidQuery } from '@/components/shared/query-problem';
import { usePageKeys } from '@/components/shared/use-list-keys';
import { Chips } from '@/components/ui/chips';
import { cn } from '@/components/ui/cn';
import { Button } from '@/components/ui/controls/button';
import { IconButton } from '@/components/ui/controls/icon-button';
import { Keyboard, ListFilter, PanelRight } from '@/components/ui/icons';
import { NavTabs } from '@/components/ui/nav-tabs';
import { Dialog, DialogContent } from '@/components/ui/overlays/lazy-dialogs';
import { Panel } from '@/components/ui/panel';
import { keyboardHelp } from '@/lib/browser/keyboard-help';
import { links } from '@/lib/browser/links';
import { type QueryBar, queryInputProps, useQueryBar } from '@/lib/browser/search/use-query-bar';
import { FacetsPanel } from './facets-panel';
import { GroupsView } from './groups/groups-view';
import { RowsView } from './rows/rows-view';
import { SavedSearches } from './saved-searches';
import { type DeadView, useDeadView } from './use-dead-view';

/** Failure groups or single dead letters that match one query. */
export function DeadPage() {
  const view = useDeadView();
  const { q } = view;
  const bar = useQueryBar({ q, apply: view.search });
  const open = useOpenJob().job;
  usePageKeys({
    '/': () => bar.input.current?.focus(),
    v: () => view.show(view.view === 'groups' ? 'rows' : 'groups'),
  });
  const { filter } = bar;
  // The job beside the list takes the room of the facets.
  const showsFacets = view.facets && filter !== null && open === null;
  const facets = filter && <FacetsPanel q={q} filter={filter} onSearch={view.search} />;
  return (
    <div className="space-y-3 px-4 pb-6 max-sm:px-2">
      <div className={cn('grid gap-3', showsFacets && 'lg:grid-cols-[minmax(0,1fr)_13rem]')}>
        <Panel flush className="min-w-0 self-start">
          <QueryHead bar={bar} view={view} phoneFacets={<PhoneFacets>{facets}</PhoneFacets>} />
          <NavTabs
            label="Shown as"
            value={view.view}
            className="px-1"
            items={[
              { value: 'groups', label: 'Groups', href: links.dead(q) },
              { value: 'rows', label: 'Rows', href: links.dead(q, 'rows') },
            ]}
          />
          {filter === null ? (
            <InvalidQuery onClear={bar.clear} />
          ) : view.view === 'groups' ? (
            <GroupsView filter={filter} />
          ) : (
            <RowsView filter={filter} />
          )}
        </Panel>
        {showsFacets && (
          <div className="self-start max-lg:hidden lg:sticky lg:top-14 lg:max-h-[calc(100dvh-4.5rem)] lg:overflow-y-auto">
            {facets}
          </div>
        )}
      </div>
    </div>
  );
}

function PhoneFacets({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        aria-label="Facets"
        aria-haspopup="dialog"
        className="h-8 px-2 lg:hidden"
        onClick={() => setOpen(true)}
      >
        <ListFilter aria-hidden />
      </Button>
      <Dialog open={open} onOpenChange={setOpen}>
        <DialogContent title="Facets" size="sm">
          {children}
        </DialogContent>
      </Dialog>
    </>
  );
}

/** The query with its conditions, saved searches and view settings. */
function QueryHead({ bar, view, phoneFacets }: { bar: QueryBar; view: DeadView; phoneFacets: ReactNode }) {
  return (
    <div className="space-y-1.5 px-3 py-2">
      <div className="flex items-start gap-1.5">
        <QueryInput
          label="Query"
          placeholder="type:invoice.* class:retryable age:>1h “free text”"
          {...queryInputProps(bar)}
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
        <IconButton
          label="Keyboard"
          size="lg"
          className="max-md:hidden"
          onClick={() => keyboardHelp.set(true)}
        >
          <Keyboard aria-hidden />
        </IconButton>
      </div>
      <Chips label="Conditions" items={bar.terms} onRemove={bar.removeTerm} onClear={bar.clear} />
    </div>
  );
}
