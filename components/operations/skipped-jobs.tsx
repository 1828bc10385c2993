'use client';
import type { Route } from 'next';
import Link from 'next/link';
import { SkeletonRows } from '@/components/ui/skeleton';
import { StateBadge } from '@/components/ui/state-badge';
import { FullRow, Td, Th, Tr } from '@/components/ui/table';
import { links } from '@/lib/client/links';
import type { JobSummary } from '@/lib/contract/job';
import { SKIP_WORDS } from '@/lib/contract/operation-words';
import type { OperationJobsPage } from '@/lib/contract/operations';
import { PagedJobs } from './paged-jobs';

type Skip = NonNullable<OperationJobsPage['skips']>[number];

/** The jobs it left alone, each with why, and where it is now. */
export function SkippedJobs({ id }: { id: string }) {
  return (
    <PagedJobs
      id={id}
      outcome="skipped"
      label="Jobs left alone"
      note="as far as they are named: the first 100 of each queue or shard"
      shown={(page) => page.skips?.length ?? 0}
      head={
        <>
          <Th className="w-56 max-sm:w-32">Job</Th>
          <Th className="w-26">Now</Th>
          <Th className="w-28 max-sm:hidden">Queue</Th>
          <Th className="w-40 max-md:hidden">Type</Th>
          <Th>Left alone because</Th>
        </>
      }
      rows={(page) => <Rows page={page} />}
    />
  );
}

function Rows({ page }: { page: OperationJobsPage | null }) {
  if (!page) return <SkeletonRows columns={5} rows={6} />;
  if (!page.skips?.length) return <FullRow span={5}>None that is named.</FullRow>;
  const jobs = new Map(page.jobs.map((job) => [keyOf(job), job]));
  return page.skips.map((skip) => <Row key={keyOf(skip)} skip={skip} job={jobs.get(keyOf(skip)) ?? null} />);
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
