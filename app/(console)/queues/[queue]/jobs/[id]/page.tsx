import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { JobActions, JobStatus } from '@/components/jobs/job-actions';
import { JobPage } from '@/components/jobs/job-page';
import { PageHeader } from '@/components/shell/page-header';
import { Prefetched } from '@/lib/browser/api/hydration';
import { keys } from '@/lib/browser/api/query-keys';
import { links } from '@/lib/browser/links';
import { jobIdSchema, queueNameSchema } from '@/lib/contract/name-schemas';
import { readEnv } from '@/lib/server/environment';
import { prefetchReply } from '../../../../prefetch-reply';

type Props = { params: Promise<{ queue: string; id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Job ${(await params).id}` };
}

export default async function Page({ params }: Props) {
  const raw = await params;
  const queue = queueNameSchema.safeParse(raw.queue);
  const id = jobIdSchema.safeParse(raw.id);
  if (!queue.success || !id.success) notFound();
  const job = { queue: queue.data, id: id.data };
  const state = await prefetchReply(keys.job(job.queue, job.id), ({ jobs }) => jobs.get(job.queue, job.id));
  return (
    <Prefetched state={state}>
      <PageHeader
        above={
          <>
            <Link href={links.overview()} className="hover:underline">
              Overview
            </Link>
            {' / '}
            <Link href={links.queue(job.queue)} className="hover:underline">
              {job.queue}
            </Link>
          </>
        }
        title={
          <span translate="no" className="font-mono text-base">
            {job.id}
          </span>
        }
        age={<JobStatus {...job} />}
        actions={<JobActions {...job} />}
      />
      <JobPage {...job} traceUrl={readEnv(process.env).REDRIVE_TRACE_URL ?? null} />
    </Prefetched>
  );
}
