'use client';
import { ListFilter, SearchX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { Dialog, DialogContent, DialogTrigger } from '@/components/ui/dialog';
import { EmptyState } from '@/components/ui/empty-state';
import { NavTabs } from '@/components/ui/nav-tabs';
import { Panel } from '@/components/ui/panel';
import { links } from '@/lib/client/links';
import { useQueryBar } from '@/lib/client/use-query-bar';
import { FacetsPanel } from './facets-panel';
import { GroupsView } from './groups-view';
import { KeyboardMap } from './keyboard-map';
import { QueryHead } from './query-head';
import { RowsView } from './rows-view';
import { useDeadView } from './use-dead-view';
import { usePageKeys } from './use-list-keys';

/** What is failing, and why: failure groups first, single dead letters on demand, both narrowed by one query. */
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
            <EmptyState
              icon={<SearchX />}
              title="This query cannot be read"
              action={<Button onClick={bar.clear}>Clear the query</Button>}
            >
              What is wrong with it stands below the field; nothing was searched for.
            </EmptyState>
          ) : view.view === 'groups' ? (
            <GroupsView q={q} filter={filter} onClear={bar.clear} />
          ) : (
            <RowsView
              q={q}
              filter={filter}
              cursor={view.cursor}
              setCursor={view.setCursor}
              roomy={!view.facets}
              onClearQuery={bar.clear}
            />
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
