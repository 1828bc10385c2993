'use client';
import { Keyboard, ListFilter, PanelRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { QueryInput } from '@/components/shared/query-input';
import { InvalidQuery } from '@/components/shared/query-problem';
import { usePageKeys } from '@/components/shared/use-list-keys';
import { Chips } from '@/components/ui/chips';
import { cn } from '@/components/ui/cn';
import { Button } from '@/components/ui/controls/button';
import { IconButton } from '@/components/ui/controls/icon-button';
import { Kbd } from '@/components/ui/kbd';
import { NavTabs } from '@/components/ui/nav-tabs';
import { Dialog, DialogContent, DialogTrigger } from '@/components/ui/overlays/dialog';
import { Panel } from '@/components/ui/panel';
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
  const [keyMap, setKeyMap] = useState(false);
  usePageKeys({
    '/': () => bar.input.current?.focus(),
    '?': () => setKeyMap(true),
    v: () => view.show(view.view === 'groups' ? 'rows' : 'groups'),
  });
  const { filter } = bar;
  const facets = filter && <FacetsPanel q={q} filter={filter} onSearch={view.search} />;
  return (
    <div className="space-y-3 px-4 pb-6 max-sm:px-2">
      <div className={cn('grid gap-3', view.facets && filter && 'lg:grid-cols-[minmax(0,1fr)_13rem]')}>
        <Panel flush className="min-w-0 self-start">
          <QueryHead
            bar={bar}
            view={view}
            phoneFacets={<PhoneFacets>{facets}</PhoneFacets>}
            onKeys={() => setKeyMap(true)}
          />
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
        {view.facets && facets && (
          <div className="self-start max-lg:hidden lg:sticky lg:top-14 lg:max-h-[calc(100dvh-4.5rem)] lg:overflow-y-auto">
            {facets}
          </div>
        )}
      </div>
      <KeyboardMap open={keyMap} onOpenChange={setKeyMap} />
    </div>
  );
}

function PhoneFacets({ children }: { children: ReactNode }) {
  return (
    <Dialog>
      <DialogTrigger asChild>
        <Button aria-label="Facets" className="h-8 px-2 lg:hidden">
          <ListFilter aria-hidden />
        </Button>
      </DialogTrigger>
      <DialogContent title="Facets" size="sm">
        {children}
      </DialogContent>
    </Dialog>
  );
}

const KEYS: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['/'], 'edit the query'],
  [['v'], 'switch between groups and rows'],
  [['j', 'k'], 'next, previous'],
  [['Enter'], 'open the group or job'],
  [['x'], 'select'],
  [['Shift', 'x'], 'select a range'],
  [['r'], 're-drive the selection, or this row'],
  [['Esc'], 'clear the selection; leave the query'],
  [['?'], 'show these shortcuts'],
];

function KeyboardMap({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title="Keyboard" size="sm">
        <dl className="grid grid-cols-[max-content_1fr] items-center gap-x-4 gap-y-1.5 text-sm">
          {KEYS.map(([keys, what]) => (
            <div key={what} className="contents">
              <dt className="flex gap-1">
                {keys.map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </DialogContent>
    </Dialog>
  );
}

/** The query with its conditions, saved searches and view settings. */
function QueryHead({
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
        <IconButton label="Keyboard" size="lg" className="max-md:hidden" onClick={onKeys}>
          <Keyboard aria-hidden />
        </IconButton>
      </div>
      <Chips label="Conditions" items={bar.terms} onRemove={bar.removeTerm} onClear={bar.clear} />
    </div>
  );
}
