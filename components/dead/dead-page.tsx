'use client';
import { ListFilter } from 'lucide-react';
import { type ReactNode, useEffect, useReducer, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { Dialog, DialogContent, DialogTrigger } from '@/components/ui/dialog';
import { ErrorState } from '@/components/ui/error-state';
import { Pagination } from '@/components/ui/pagination';
import { Panel } from '@/components/ui/panel';
import { useDeadPage } from '@/lib/client/use-dead';
import type { JobSummary } from '@/lib/contract/job';
import type { OperationKind } from '@/lib/contract/operations';
import { ConfirmOperation } from './confirm-operation';
import { DeadTable } from './dead-table';
import { FacetsPanel } from './facets-panel';
import { FilterBar } from './filter-bar';
import { planOf } from './operation-request';
import { isEmpty, NOTHING, reduceSelection, rowKey } from './selection';
import { SelectionBar } from './selection-bar';
import { useDeadView } from './use-dead-view';
import { useFacets } from './use-facets';
import { useFrozenPage } from './use-frozen-page';
import { useListKeys } from './use-list-keys';

/** Every dead letter: narrow, select, and put back or throw away. `operations` shows what was started. */
export function DeadPage({ operations }: { operations: ReactNode }) {
  const view = useDeadView();
  const { filter, cursor } = view;
  const [selection, send] = useReducer(reduceSelection, NOTHING);
  const [acting, setActing] = useState<OperationKind | null>(null);
  const frozen = !isEmpty(selection);
  const query = useDeadPage(filter, { cursor, paused: frozen });
  const { error, refetch, isFetching, isPlaceholderData } = query;
  const { page, release } = useFrozenPage(query.data, JSON.stringify([filter, cursor]), {
    frozen,
    settled: !isPlaceholderData,
  });
  const facets = useFacets(filter.queue);
  const region = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const jobs = page?.jobs ?? null;
  const filterKey = JSON.stringify(filter);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter is another set, so nothing of it is chosen yet.
  useEffect(() => send({ type: 'clear' }), [filterKey]);

  const toggle = (job: JobSummary, select: boolean, range: boolean) =>
    send({ type: 'toggle', job, select, range, page: jobs ?? [] });
  useListKeys(region, bar, {
    toggle: (index, range) => {
      const job = jobs?.[index];
      if (job) toggle(job, !selection.everything && !selection.rows.has(rowKey(job)), range);
    },
    clear: () => send({ type: 'clear' }),
  });

  return (
    <div className="space-y-3 px-4 pb-6 max-sm:px-2">
      {operations}
      <div className={cn('grid gap-3', view.facets && 'lg:grid-cols-[minmax(0,1fr)_12rem]')}>
        <Panel flush className="min-w-0">
          <FilterBar view={view} facets={facets} bar={bar} />
          <PhoneFacets>
            <FacetsPanel facets={facets} filter={filter} narrow={view.narrow} />
          </PhoneFacets>
          <SelectionBar
            page={page}
            filter={filter}
            selection={selection}
            onEverything={() => send({ type: 'everything' })}
            onClear={() => send({ type: 'clear' })}
            onRefresh={() => void refetch().then(release)}
            onAct={setActing}
          />
          {error && !page ? (
            <ErrorState
              title="The dead letters could not be loaded"
              message={error.detail}
              reference={error.requestId ?? undefined}
              retrying={isFetching}
              onRetry={() => (error.code === 'BAD_CURSOR' ? view.setCursor(null) : void refetch())}
            />
          ) : (
            <>
              <DeadTable
                jobs={jobs}
                selection={selection}
                region={region}
                filtered={filterKey !== '{}'}
                roomy={!view.facets}
                onToggle={toggle}
                onPage={(select) => send({ type: 'page', select, page: jobs ?? [] })}
                onClearFilter={view.clear}
              />
              <Pagination
                shown={jobs?.length ?? 0}
                total={page?.matching.exact ? page.matching.count : null}
                note={page && !page.matching.exact ? `at least ${page.matching.count} match` : undefined}
                noun="dead letters"
                isFirst={cursor === null}
                hasNext={page !== undefined && page.nextCursor !== null}
                pending={isPlaceholderData}
                onFirst={() => view.setCursor(null)}
                onNext={() => view.setCursor(page?.nextCursor ?? null)}
              />
            </>
          )}
        </Panel>
        {view.facets && (
          <FacetsPanel
            facets={facets}
            filter={filter}
            narrow={view.narrow}
            className="self-start max-lg:hidden lg:sticky lg:top-14"
          />
        )}
      </div>
      <ConfirmOperation
        plan={acting && page ? planOf(acting, selection, filter, page) : null}
        filter={filter}
        onClose={() => setActing(null)}
        onStarted={() => send({ type: 'clear' })}
      />
    </div>
  );
}

function PhoneFacets({ children }: { children: ReactNode }) {
  return (
    <Dialog>
      <DialogTrigger asChild>
        <Button variant="ghost" className="mx-2 mb-2 lg:hidden">
          <ListFilter aria-hidden />
          Facets
        </Button>
      </DialogTrigger>
      <DialogContent title="Facets" size="sm">
        {children}
      </DialogContent>
    </Dialog>
  );
}
