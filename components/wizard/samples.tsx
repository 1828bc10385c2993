import Link from 'next/link';
import { RelativeTime } from '@/components/ui/relative-time';
import { Table, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import { links } from '@/lib/client/links';
import type { JobSummary } from '@/lib/contract/job';
import { visible } from '@/lib/format/text';

/** A few of them, to see whether they are what one meant. Each opens beside the wizard. */
export function Samples({ jobs }: { jobs: readonly JobSummary[] }) {
  if (jobs.length === 0) return null;
  return (
    <section>
      <h4 className="mb-1 text-faint text-xs">
        {jobs.length === 1 ? 'One of them' : `${jobs.length} of them`}
      </h4>
      <Table label="Samples" tight className="table-fixed" region="rounded border border-line max-h-56">
        <THead>
          <tr>
            <Th className="w-50 max-sm:w-28">Job</Th>
            <Th className="w-22 max-sm:hidden">Queue</Th>
            <Th className="w-28">Type</Th>
            <Th className="w-22 max-sm:hidden">Tenant</Th>
            <Th>Error</Th>
            <Th numeric className="w-20 max-sm:hidden">
              Since
            </Th>
          </tr>
        </THead>
        <TBody>
          {jobs.map((job) => (
            <Tr key={`${job.queue}/${job.jobId}`}>
              <Td truncate className="font-mono">
                <Link
                  href={links.job(job.queue, job.jobId)}
                  target="_blank"
                  title={`${job.jobId} (opens in a new tab)`}
                  className="rounded-xs text-accent hover:underline"
                >
                  {job.jobId}
                </Link>
              </Td>
              <Td truncate className="max-sm:hidden" title={job.queue}>
                {job.queue}
              </Td>
              <Td truncate title={job.jobType}>
                {job.jobType}
              </Td>
              <Td truncate className="max-sm:hidden" title={job.tenantId}>
                {job.tenantId}
              </Td>
              <Td truncate className="text-muted" title={job.message ? visible(job.message) : undefined}>
                {job.errorCode ? visible(`${job.errorCode} ${job.message ?? ''}`) : '–'}
              </Td>
              <Td numeric className="text-muted max-sm:hidden">
                <RelativeTime at={job.stateAt} />
              </Td>
            </Tr>
          ))}
        </TBody>
      </Table>
    </section>
  );
}
