'use client';
import type { Route } from 'next';
import Link from 'next/link';
import { useState } from 'react';
import { ErrorState } from '@/components/ui/error-state';
import { Pagination } from '@/components/ui/pagination';
import { SkeletonRows } from '@/components/ui/skeleton';
import { StateBadge } from '@/components/ui/state-badge';
import { FullRow, Table, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import { links } from '@/lib/client/links';
import { useOperationJobs } from '@/lib/client/use-operations';
import type { JobSummary } from '@/lib/contract/job';
import { SKIP_WORDS } from '@/lib/contract/operation-words';
import type { OperationJobsPage } from '@/lib/contract/operations';
import { plural } from '@/lib/format/plural';

type Skip = NonNullable<OperationJobsPage['skips']>[number];

/** The jobs it left alone, each with why, and where it is now. */
export function SkippedJobs({ id }: { id: string }) {
  const [cursor, setCursor] = useState<string | null>(null);
  const { data, error, refetch, isFetching, isPlaceholderData } = useOperationJobs(id, 'skipped', { cursor });
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
  const skips = data?.skips ?? [];
  const jobs = new Map(data?.jobs.map((job) => [keyOf(job), job]));
  return (
    <>
      <Table label="Jobs left alone" className="table-fixed" region="max-h-[32rem]">
        <THead>
          <tr>
            <Th className="w-56 max-sm:w-32">Job</Th>
            <Th className="w-26">Now</Th>
            <Th className="w-28 max-sm:hidden">Queue</Th>
            <Th className="w-40 max-md:hidden">Type</Th>
            <Th>Left alone because</Th>
          </tr>
        </THead>
        <TBody>
          {!data && <SkeletonRows columns={5} rows={6} />}
          {data && skips.length === 0 && <FullRow span={5}>None that is named.</FullRow>}
          {skips.map((skip) => (
            <Row key={keyOf(skip)} skip={skip} job={jobs.get(keyOf(skip)) ?? null} />
          ))}
        </TBody>
      </Table>
      <Pagination
        shown={skips.length}
        noun={plural(skips.length, 'job')}
        note="as far as they are named: the first 100 of each queue or shard"
        isFirst={cursor === null}
        hasNext={data !== undefined && data.nextCursor !== null}
        pending={isPlaceholderData}
        onFirst={() => setCursor(null)}
        onNext={() => setCursor(data?.nextCursor ?? null)}
      />
    </>
  );
}

const keyOf = ({ queue, jobId }: { queue: string; jobId: string }): string => `${queue}/${jobId}`;

function Row({ skip, job }: { skip: Skip; job: JobSummary | null }) {
  return (
    <Tr>
      <Td truncate className="font-mono text-xs">
        {job ? (
          <Link
            href={links.job(skip.queue, skip.jobId) as Route}
            title={skip.jobId}
            className="rounded-xs hover:underline"
          >
            {skip.jobId}
          </Link>
        ) : (
          <span title={skip.jobId}>{skip.jobId}</span>
        )}
      </Td>
      <Td>{job ? <StateBadge state={job.state} plain /> : <span className="text-faint">gone</span>}</Td>
      <Td truncate className="max-sm:hidden" title={skip.queue}>
        {skip.queue}
      </Td>
      <Td truncate className="max-md:hidden" title={job?.jobType}>
        {job?.jobType ?? '–'}
      </Td>
      <Td truncate className="text-muted" title={SKIP_WORDS[skip.reason]}>
        {SKIP_WORDS[skip.reason]}
      </Td>
    </Tr>
  );
}
