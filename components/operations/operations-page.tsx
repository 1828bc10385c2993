'use client';
import { ListChecks } from 'lucide-react';
import type { Route } from 'next';
import Link from 'next/link';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { ErrorState } from '@/components/ui/error-state';
import { Pagination } from '@/components/ui/pagination';
import { Panel } from '@/components/ui/panel';
import { Select } from '@/components/ui/select';
import { usePhone } from '@/components/ui/use-phone';
import { links } from '@/lib/client/links';
import { useOperations } from '@/lib/client/use-operations';
import { KIND_WORDS, STATUS_WORDS } from '@/lib/contract/operation-words';
import {
  OPERATION_KINDS,
  OPERATION_STATUSES,
  type Operation,
  type OperationKind,
  type OperationStatus,
} from '@/lib/contract/operations';
import { plural } from '@/lib/format/plural';
import { OperationCard } from './operation-card';
import { type OperationsView, useOperationsView } from './operations-filter';
import { OperationsTable } from './operations-table';

/** Bulk actions, running ones and past ones, the latest first. */
export function OperationsPage() {
  const view = useOperationsView();
  const { status, kind, cursor, setCursor } = view;
  const {
    data: page,
    error,
    refetch,
    isFetching,
    isPlaceholderData,
  } = useOperations({ cursor, status, kind });
  if (error && !page) {
    return (
      <ErrorState
        title="The operations could not be loaded"
        message={error.detail}
        reference={error.requestId ?? undefined}
        retrying={isFetching}
        onRetry={() => (error.code === 'BAD_CURSOR' ? setCursor(null) : void refetch())}
      />
    );
  }
  const narrowed = status !== null || kind !== null;
  const none = page?.operations.length === 0 && cursor === null && !narrowed;
  return (
    <div className="px-4 pb-6 max-sm:px-2">
      <Panel flush>
        {none ? (
          <EmptyState
            icon={<ListChecks />}
            title="No operations yet"
            action={
              <Button asChild>
                <Link href={links.dead() as Route}>Go to the dead letters</Link>
              </Button>
            }
          >
            Select dead letters and re-drive or purge them: what was done, by whom and why is kept here.
          </EmptyState>
        ) : (
          <>
            <Filters view={view} />
            <OperationsList
              operations={page?.operations ?? null}
              empty={narrowed ? 'No operation matches.' : 'No more operations.'}
            />
            <Pagination
              shown={page?.operations.length ?? 0}
              noun={plural(page?.operations.length ?? 0, 'operation')}
              isFirst={cursor === null}
              hasNext={page !== undefined && page.nextCursor !== null}
              pending={isPlaceholderData}
              onFirst={() => setCursor(null)}
              onNext={() => setCursor(page?.nextCursor ?? null)}
            />
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

const STATUSES = OPERATION_STATUSES.map((value) => ({ value, label: STATUS_WORDS[value] }));
const KINDS = OPERATION_KINDS.map((value) => ({ value, label: KIND_WORDS[value].verb }));

function Filters({ view: { status, kind, narrow } }: { view: OperationsView }) {
  return (
    <div className="flex flex-wrap items-center gap-2 border-line border-b px-3 py-1.5">
      <Select
        aria-label="Status"
        className="w-44 max-sm:w-[calc(50%-0.25rem)]"
        placeholder="Any status"
        options={STATUSES}
        value={status ?? ''}
        onChange={({ target }) => narrow({ status: (target.value || null) as OperationStatus | null })}
      />
      <Select
        aria-label="Kind"
        className="w-52 max-sm:w-[calc(50%-0.25rem)]"
        placeholder="Any kind"
        options={KINDS}
        value={kind ?? ''}
        onChange={({ target }) => narrow({ kind: (target.value || null) as OperationKind | null })}
      />
      {(status !== null || kind !== null) && (
        <Button size="sm" variant="ghost" onClick={() => narrow({ status: null, kind: null })}>
          Show all
        </Button>
      )}
    </div>
  );
}
