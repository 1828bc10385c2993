'use client';
import { RotateCcw, Trash2, X } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { Kbd } from '@/components/ui/kbd';
import { DataAge } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import type { DeadFilter, DeadPage } from '@/lib/contract/dead';
import { type OperationKind, SELECTION_MAX_JOBS } from '@/lib/contract/operations';
import { full } from '@/lib/format/number';
import { count } from '@/lib/format/plural';
import { NewArrivals } from './new-arrivals';
import { isEmpty, pageState, type Selection } from './selection';

/** One line of one height above the list: how many match, or what is selected and what can be done with it. */
export function SelectionBar(props: {
  page: DeadPage | undefined;
  filter: DeadFilter;
  selection: Selection;
  onEverything: () => void;
  onClear: () => void;
  onRefresh: () => void;
  onAct: (kind: OperationKind) => void;
}) {
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 border-line border-y bg-sunken px-3 py-1 text-sm">
      {isEmpty(props.selection) ? <Matching page={props.page} /> : <Selected {...props} />}
    </div>
  );
}

/** "1,234 dead letters match"; "at least" when the count stopped at its budget. */
export function matchWords({ matching }: DeadPage): string {
  const jobs = count(matching.count, 'dead letter');
  return `${matching.exact ? '' : 'at least '}${jobs} ${matching.count === 1 ? 'matches' : 'match'}`;
}

function Matching({ page }: { page: DeadPage | undefined }) {
  return (
    <>
      {page ? (
        <span className="inline-block font-medium first-letter:uppercase">{matchWords(page)}</span>
      ) : (
        <Skeleton className="w-44" />
      )}
      <span className="ml-auto flex items-center gap-1 text-faint text-xs max-lg:hidden">
        <Kbd>j</Kbd> <Kbd>k</Kbd> move, <Kbd>x</Kbd> selects, <Kbd>Enter</Kbd> opens, <Kbd>/</Kbd> filters
      </span>
      <DataAge at={page?.at} className="max-lg:ml-auto" />
    </>
  );
}

function Selected({
  page,
  filter,
  selection,
  onEverything,
  onClear,
  onRefresh,
  onAct,
}: Parameters<typeof SelectionBar>[0]) {
  const total = page?.matching.count ?? 0;
  const ticked = selection.rows.size;
  const atLeast = page?.matching.exact === false ? 'at least ' : '';
  const offer =
    !selection.everything && page && pageState(selection, page.jobs) === 'all' && total > page.jobs.length;
  return (
    <>
      <span role="status" className="font-medium">
        {selection.everything
          ? `All ${atLeast}${full(total)} that match are selected`
          : `${full(ticked)} selected`}
        {ticked === SELECTION_MAX_JOBS && <span className="text-muted"> (the most that can be ticked)</span>}
      </span>
      {offer && (
        <Button size="sm" variant="ghost" className="text-accent" onClick={onEverything}>
          Select all {atLeast}
          {full(total)} that match
        </Button>
      )}
      <span className="flex items-center gap-1.5">
        <Button size="sm" variant="primary" onClick={() => onAct('redrive')}>
          <RotateCcw aria-hidden />
          Re-drive…
        </Button>
        <Button size="sm" variant="danger-quiet" onClick={() => onAct('purge')}>
          <Trash2 aria-hidden />
          Purge…
        </Button>
        <Button size="sm" variant="ghost" onClick={onClear}>
          <X aria-hidden />
          Unselect
        </Button>
      </span>
      <span className="ml-auto flex items-center gap-2">
        {page && <NewArrivals filter={filter} shown={page} onRefresh={onRefresh} />}
        <DataAge at={page?.at} staleAfterMs={Number.POSITIVE_INFINITY} />
      </span>
    </>
  );
}
