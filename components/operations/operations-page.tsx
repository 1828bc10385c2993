'use client';
import { ListChecks } from 'lucide-react';
import Link from 'next/link';
import { parseAsString, useQueryState } from 'nuqs';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { ErrorState } from '@/components/ui/error-state';
import { Pagination } from '@/components/ui/pagination';
import { Panel } from '@/components/ui/panel';
import { links } from '@/lib/client/links';
import { useOperations } from '@/lib/client/use-operations';
import { plural } from '@/lib/format/plural';
import { OperationsTable } from './operations-table';

/** Bulk actions, running ones and past ones, the latest first. */
export function OperationsPage() {
  const [cursor, setCursor] = useQueryState('cursor', parseAsString.withOptions({ history: 'push' }));
  const { data: page, error, refetch, isFetching, isPlaceholderData } = useOperations({ cursor });
  if (error && !page) {
    return (
      <ErrorState
        title="The operations could not be loaded"
        message={error.detail}
        reference={error.requestId ?? undefined}
        retrying={isFetching}
        onRetry={() => (error.code === 'BAD_CURSOR' ? void setCursor(null) : void refetch())}
      />
    );
  }
  const none = page?.operations.length === 0 && cursor === null;
  return (
    <div className="px-4 pb-6 max-sm:px-2">
      <Panel flush>
        {none ? (
          <EmptyState
            icon={<ListChecks />}
            title="No operations yet"
            action={
              <Button asChild>
                <Link href={links.dead()}>Go to the dead letters</Link>
              </Button>
            }
          >
            Select dead letters and re-drive or purge them: what was done, by whom and why is kept here.
          </EmptyState>
        ) : (
          <>
            <OperationsTable operations={page?.operations ?? null} />
            <Pagination
              shown={page?.operations.length ?? 0}
              noun={plural(page?.operations.length ?? 0, 'operation')}
              isFirst={cursor === null}
              hasNext={page !== undefined && page.nextCursor !== null}
              pending={isPlaceholderData}
              onFirst={() => void setCursor(null)}
              onNext={() => void setCursor(page?.nextCursor ?? null)}
            />
          </>
        )}
      </Panel>
    </div>
  );
}
