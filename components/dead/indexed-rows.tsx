'use client';
import { ErrorState } from '@/components/ui/error-state';
import { Pagination } from '@/components/ui/pagination';
import { DataAge } from '@/components/ui/relative-time';
import { useSearch } from '@/lib/client/use-dead';
import { full } from '@/lib/format/number';
import { NewArrivals } from './new-arrivals';
import { RowsList } from './rows-list';
import type { RowsProps } from './rows-view';
import { isEmpty } from './selection';
import { useFrozenPage } from './use-frozen-page';
import { useSelection } from './use-selection';

/** Matches of a query that indexes answer: a page at a time, read again every two seconds while nothing is selected. */
export function IndexedRows({ q, cursor, setCursor, roomy, onClearQuery }: RowsProps) {
  const [selection, send] = useSelection(q);
  const frozen = !isEmpty(selection);
  const query = useSearch(q, { cursor, paused: frozen });
  const { error, refetch, isFetching, isPlaceholderData: pending } = query;
  const { page, release } = useFrozenPage(query.data, JSON.stringify([q, cursor]), {
    frozen,
    settled: !pending,
  });
  const refresh = () => {
    if (cursor !== null) setCursor(null);
    void refetch().then(release);
  };
  if (error && !page)
    return (
      <ErrorState
        title="The dead letters could not be loaded"
        message={error.detail}
        reference={error.requestId ?? undefined}
        retrying={isFetching}
        onRetry={() => (error.code === 'BAD_CURSOR' ? setCursor(null) : void refetch())}
      />
    );
  const cut = page && page.nextCursor !== null && page.scan.scanned < page.scan.of && !page.matching.exact;
  return (
    <RowsList
      q={q}
      jobs={page?.jobs ?? null}
      matching={page?.matching ?? null}
      pending={pending && !frozen}
      selection={selection}
      send={send}
      roomy={roomy}
      onClearQuery={onClearQuery}
      aside={
        <>
          {frozen && page && <NewArrivals q={q} shown={page} onRefresh={refresh} />}
          <DataAge at={page?.at} staleAfterMs={frozen ? Number.POSITIVE_INFINITY : 10_000} />
        </>
      }
      footer={
        <Pagination
          shown={page?.jobs.length ?? 0}
          total={page?.matching.exact ? page.matching.count : null}
          note={cut ? `${full(page.scan.scanned)} of ${full(page.scan.of)} scanned, Next goes on` : undefined}
          noun="dead letters"
          isFirst={cursor === null}
          hasNext={page !== undefined && page.nextCursor !== null}
          pending={pending}
          onFirst={() => setCursor(null)}
          onNext={() => setCursor(page?.nextCursor ?? null)}
        />
      }
    />
  );
}
