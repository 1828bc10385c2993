'use client';
import Link from 'next/link';
import { LoadError } from '@/components/shared/load-error';
import { urlOneOf, urlText, useUrlState } from '@/components/shared/url-state';
import { useHeldOrder, useListHold } from '@/components/shared/use-list-hold';
import { Button } from '@/components/ui/controls/button';
import { Select } from '@/components/ui/controls/select';
import { EmptyState } from '@/components/ui/empty-state';
import { ListChecks } from '@/components/ui/icons';
import { Panel } from '@/components/ui/panel';
import { Pagination } from '@/components/ui/tables/pagination';
import { usePhone } from '@/components/ui/use-phone';
import { isFirstPart } from '@/lib/browser/api/hydration';
import { links } from '@/lib/browser/links';
import { useOperations } from '@/lib/browser/use-operations';
import type { Operation } from '@/lib/contract/operations/operation';
import {
  OPERATION_KINDS,
  OPERATION_STATUSES,
  type OperationKind,
  type OperationStatus,
} from '@/lib/contract/operations/operation-kinds';
import { OPERATION_STATUS_LABELS } from '@/lib/contract/operations/operation-result';
import { KIND_LABELS } from '@/lib/contract/operations/operation-text';
import { plural } from '@/lib/format/plural';
import { OperationCard } from './operation-card';
import { OperationsTable } from './operations-table';

const PARSERS = {
  status: urlOneOf(OPERATION_STATUSES),
  kind: urlOneOf(OPERATION_KINDS),
  cursor: urlText,
};

interface OperationsView {
  status: OperationStatus | null;
  kind: OperationKind | null;
  cursor: string | null;
  /** A changed filter starts at the first page. */
  setFilter: (change: { status?: OperationStatus | null; kind?: OperationKind | null }) => void;
  setCursor: (cursor: string | null) => void;
}

/** The list's filters and page, kept in the URL. */
function useOperationsView(): OperationsView {
  const [view, set] = useUrlState(PARSERS, 'push');
  return {
    ...view,
    setFilter: (change) => set({ ...change, cursor: null }),
    setCursor: (cursor) => set({ cursor }),
  };
}

/** Running and past operations, the latest first. */
export function OperationsPage() {
  const view = useOperationsView();
  const { status, kind, cursor, setCursor } = view;
  const query = useOperations({ cursor, status, kind });
  const { data: page, error, refetch, isPlaceholderData } = query;
  const { held, handlers } = useListHold();
  const operations = useHeldOrder(
    held,
    page?.operations ?? null,
    ({ id }) => id,
    JSON.stringify([cursor, status, kind, isPlaceholderData]),
  );
  if (error && !page) {
    return (
      <LoadError
        title="The operations could not be loaded"
        query={query}
        onRetry={() => (error.code === 'BAD_CURSOR' ? setCursor(null) : void refetch())}
      />
    );
  }
  const isFiltered = status !== null || kind !== null;
  const none = page?.operations.length === 0 && cursor === null && !isFiltered;
  return (
    <div className="px-4 pb-6 max-sm:px-2">
      <Panel flush>
        {none ? (
          <EmptyState
            icon={<ListChecks />}
            title="No operations"
            action={
              <Button asChild>
                <Link href={links.dead()}>Go to the dead letters</Link>
              </Button>
            }
          >
            Select dead letters and re-drive or purge them. This page lists every operation, who started it
            and why.
          </EmptyState>
        ) : (
          <>
            <Filters view={view} />
            <div {...handlers}>
              <OperationsList
                operations={operations}
                empty={isFiltered ? 'No operation matches.' : 'No more operations.'}
              />
            </div>
            {!isFirstPart(query) && (
              <Pagination
                shown={page?.operations.length ?? null}
                noun={plural(page?.operations.length ?? 0, 'operation')}
                isFirst={cursor === null}
                hasNext={page !== undefined && page.nextCursor !== null}
                pending={isPlaceholderData}
                onFirst={() => setCursor(null)}
                onNext={() => setCursor(page?.nextCursor ?? null)}
              />
            )}
          </>
        )}
      </Panel>
    </div>
  );
}

/** A table where there is room for one, cards on a phone. */
function OperationsList(props: { operations: readonly Operation[] | null; empty: string }) {
  const phone = usePhone();
  const { operations, empty } = props;
  return (
    <>
      {phone !== true && (
        <div className="max-md:hidden">
          <OperationsTable {...props} />
        </div>
      )}
      {phone !== false && (
        <ul className="grid gap-1.5 p-2 md:hidden">
          {operations === null && <li className="h-40" aria-busy />}
          {operations?.length === 0 && <li className="py-6 text-center text-muted">{empty}</li>}
          {operations?.map((operation) => (
            <li key={operation.id}>
              <OperationCard operation={operation} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const STATUSES = OPERATION_STATUSES.map((value) => ({ value, label: OPERATION_STATUS_LABELS[value] }));
const KINDS = OPERATION_KINDS.map((value) => ({ value, label: KIND_LABELS[value].verb }));

function Filters({ view: { status, kind, setFilter } }: { view: OperationsView }) {
  return (
    <div className="flex flex-wrap items-center gap-2 border-line border-b px-3 py-1.5">
      <Select
        aria-label="Status"
        className="w-44 max-sm:w-[calc(50%-0.25rem)]"
        placeholder="Any status"
        options={STATUSES}
        value={status ?? ''}
        onChange={({ target }) => setFilter({ status: (target.value || null) as OperationStatus | null })}
      />
      <Select
        aria-label="Kind"
        className="w-52 max-sm:w-[calc(50%-0.25rem)]"
        placeholder="Any kind"
        options={KINDS}
        value={kind ?? ''}
        onChange={({ target }) => setFilter({ kind: (target.value || null) as OperationKind | null })}
      />
      {(status !== null || kind !== null) && (
        <Button size="sm" variant="ghost" onClick={() => setFilter({ status: null, kind: null })}>
          Show all
        </Button>
      )}
    </div>
  );
}
