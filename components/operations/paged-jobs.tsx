'use client';
import { type ReactNode, useState } from 'react';
import { ErrorState } from '@/components/ui/error-state';
import { Pagination } from '@/components/ui/pagination';
import { Table, TBody, THead } from '@/components/ui/table';
import { useOperationJobs } from '@/lib/client/use-operations';
import type { OperationJobsPage, OperationJobsQuery } from '@/lib/contract/operations';
import { plural } from '@/lib/format/plural';

/** A list of an operation's jobs, a page at a time. `rows` gets null while the page is being read. */
export function PagedJobs({
  id,
  outcome,
  label,
  note,
  head,
  shown,
  rows,
}: {
  id: string;
  outcome: OperationJobsQuery['outcome'];
  label: string;
  /** What the list leaves out, beside its length. */
  note: string | undefined;
  head: ReactNode;
  shown: (page: OperationJobsPage) => number;
  rows: (page: OperationJobsPage | null) => ReactNode;
}) {
  const [cursor, setCursor] = useState<string | null>(null);
  const { data, error, refetch, isFetching, isPlaceholderData } = useOperationJobs(id, outcome, { cursor });
  if (error && !data)
    return (
      <ErrorState
        title="The jobs could not be loaded"
        message={error.detail}
        reference={error.requestId ?? undefined}
        retrying={isFetching}
        onRetry={() => (error.code === 'BAD_CURSOR' ? setCursor(null) : void refetch())}
      />
    );
  const count = data ? shown(data) : 0;
  return (
    <>
      <Table label={label} className="table-fixed" region="max-h-[32rem]">
        <THead>
          <tr>{head}</tr>
        </THead>
        <TBody>{rows(data ?? null)}</TBody>
      </Table>
      <Pagination
        shown={count}
        noun={plural(count, 'job')}
        note={note}
        isFirst={cursor === null}
        hasNext={data !== undefined && data.nextCursor !== null}
        pending={isPlaceholderData}
        onFirst={() => setCursor(null)}
        onNext={() => setCursor(data?.nextCursor ?? null)}
      />
    </>
  );
}
