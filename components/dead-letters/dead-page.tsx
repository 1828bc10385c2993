'use client';
import { type ReactNode, useState } from 'react';
import { useOpenJob } from '@/components/shared/job-lists/use-open-job';
import { QueryChips } from '@/components/shared/query/query-chips';
import { QueryField } from '@/components/shared/query/query-field';
import { InvalidQuery } from '@/components/shared/query/query-problem';
import { usePageKeys } from '@/components/shared/use-list-keys';
import { cn } from '@/components/ui/cn';
import { Button } from '@/components/ui/controls/button';
import { IconButton } from '@/components/ui/controls/icon-button';
import { Bookmark, Keyboard, ListFilter, PanelRight } from '@/components/ui/icons';
import { lazyPart, lazyWithHtml } from '@/components/ui/lazy-part';
import { NavTabs } from '@/components/ui/nav-tabs';
import { Dialog, DialogContent } from '@/components/ui/overlays/lazy-dialogs';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { keyboardHelp } from '@/lib/browser/keyboard-help';
import { links } from '@/lib/browser/links';
import { type QueryBar, useQueryBar } from '@/lib/browser/search/use-query-bar';
import { type DeadView, useDeadView } from './use-dead-view';

/** Beside the groups, which are the first data: each has data of its own, or is opened. */
const FacetsPanel = lazyPart(
  () => import('./facets-panel').then((module) => module.FacetsPanel),
  <div className="h-96" />,
  { soon: true },
);
const GroupsView = lazyWithHtml(
  () => import('./groups/groups-view').then((module) => module.GroupsView),
  <ListSkeleton />,
);
const RowsView = lazyWithHtml(
  () => import('./rows/rows-view').then((module) => module.RowsView),
  <ListSkeleton />,
);
const SavedSearches = lazyPart(
  () => import('./saved-searches').then((module) => module.SavedSearches),
  <Button className="h-8" disabled>
    <Bookmark aria-hidden />
    <span className="max-sm:sr-only">Saved searches</span>
  </Button>,
  { soon: true },
);

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
  const facets = filter && (
    <FacetsPanel q={q} filter={filter} withGroups={view.view === 'groups'} onSearch={view.search} />
  );
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
          {filter === undefined ? (
            <ListSkeleton />
          ) : filter === null ? (
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
        <QueryField
          label="Query"
          placeholder="type:invoice.* class:retryable age:>1h “free text”"
          bar={bar}
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
      <QueryChips bar={bar} />
    </div>
  );
}

/** Until the list of the chosen view is here. */
function ListSkeleton() {
  return (
    <div aria-hidden className="h-[32rem] space-y-6 px-3 py-3">
      <Skeleton className="w-52" />
      <Skeleton className="w-4/5" />
      <Skeleton className="w-3/5" />
    </div>
  );
}
