'use client';
import type { Route } from 'next';
import Link from 'next/link';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { Button } from '@/components/ui/button';
import { NavTabs } from '@/components/ui/nav-tabs';
import { Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/relative-time';
import { SkeletonRows } from '@/components/ui/skeleton';
import { StateBadge } from '@/components/ui/state-badge';
import { FullRow, Td, Th, Tr } from '@/components/ui/table';
import { links } from '@/lib/client/links';
import type { JobSummary } from '@/lib/contract/job';
import { type Operation, type OperationJobsPage, RERUNS } from '@/lib/contract/operations';
import { visible } from '@/lib/format/text';
import { PagedJobs } from './paged-jobs';
import { SkippedJobs } from './skipped-jobs';
import { type OutcomeTab, operationQuery, outcomeParts } from './words';

const TABS = [
  'died-again',
  'completed',
  'running',
  'waiting',
  'skipped',
] as const satisfies readonly OutcomeTab[];

/** The jobs behind each number of the outcome, and those it left alone. */
export function JobsPanel({ operation }: { operation: Operation }) {
  const { id, outcome, skipped } = operation;
  const [chosen] = useQueryState('jobs', parseAsStringLiteral(TABS));
  const counts = outcome ? outcomeParts(outcome) : [];
  const countOf = (value: OutcomeTab) =>
    value === 'skipped' ? skipped : (counts.find((part) => part.tab === value)?.value ?? 0);
  // What it moves does not run again: then there is only what it left alone.
  const tabs = TABS.filter((value) => value === 'skipped' || RERUNS.has(operation.kind));
  const tab = tabs.find((value) => value === chosen);
  // Died again first when there are any: that is what one looks for.
  const usual = countOf('died-again') > 0 ? 'died-again' : operation.moved > 0 ? 'completed' : 'skipped';
  const current = tab ?? (tabs.length > 1 ? usual : 'skipped');
  return (
    <Panel flush className="lg:col-span-2">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <NavTabs
          label="Jobs it dealt with"
          value={current}
          className="min-w-0 flex-1 px-1"
          items={tabs.map((value) => ({
            value,
            label:
              value === 'skipped' ? 'Skipped' : (counts.find((part) => part.tab === value)?.label ?? value),
            href: `${links.operation(id)}?jobs=${value}`,
            count: countOf(value),
          }))}
        />
        {current === 'died-again' && countOf('died-again') > 0 && (
          <Button asChild size="sm" className="mr-2">
            <Link href={links.dead(operationQuery(id)) as Route}>Open in dead letters</Link>
          </Button>
        )}
      </div>
      {current === 'skipped' ? <SkippedJobs id={id} /> : <Jobs key={current} id={id} tab={current} />}
    </Panel>
  );
}

function Jobs({ id, tab }: { id: string; tab: OutcomeListTab }) {
  return (
    <PagedJobs
      id={id}
      outcome={tab}
      label="Jobs"
      note={tab === 'completed' ? 'as far as completed jobs are kept' : undefined}
      shown={(page) => page.jobs.length}
      head={
        <>
          <Th className="w-56 max-sm:w-32">Job</Th>
          <Th className="w-26">State</Th>
          <Th className="w-28 max-sm:hidden">Queue</Th>
          <Th className="w-40 max-md:hidden">Type</Th>
          <Th className="w-28 max-md:hidden">Tenant</Th>
          <Th>Error</Th>
          <Th numeric className="w-20">
            Since
          </Th>
        </>
      }
      rows={(page) => <Rows page={page} tab={tab} />}
    />
  );
}

function Rows({ page, tab }: { page: OperationJobsPage | null; tab: OutcomeListTab }) {
  if (!page) return <SkeletonRows columns={7} rows={6} />;
  if (page.jobs.length === 0) return <FullRow span={7}>{NONE[tab]}</FullRow>;
  return page.jobs.map((job) => <Row key={`${job.queue}/${job.jobId}`} job={job} />);
}

type OutcomeListTab = Exclude<OutcomeTab, 'skipped'>;

const NONE: Readonly<Record<OutcomeListTab, string>> = {
  completed: 'None of them has completed, or is no longer kept.',
  running: 'None of them runs.',
  waiting: 'None of them waits.',
  'died-again': 'None of them died again.',
};

function Row({ job }: { job: JobSummary }) {
  return (
    <Tr>
      <Td truncate className="font-mono text-xs">
        <Link
          href={links.job(job.queue, job.jobId) as Route}
          title={job.jobId}
          className="rounded-xs hover:underline"
        >
          {job.jobId}
        </Link>
      </Td>
      <Td>
        <StateBadge state={job.state} plain />
      </Td>
      <Td truncate className="max-sm:hidden" title={job.queue}>
        {job.queue}
      </Td>
      <Td truncate className="max-md:hidden" title={job.jobType}>
        {job.jobType}
      </Td>
      <Td truncate className="max-md:hidden" title={job.tenantId}>
        {job.tenantId}
      </Td>
      <Td truncate className="text-muted" title={job.message ? visible(job.message) : undefined}>
        {job.errorCode ? visible(`${job.errorCode} ${job.message ?? ''}`) : '–'}
      </Td>
      <Td numeric className="text-muted">
        <RelativeTime at={job.stateAt} />
      </Td>
    </Tr>
  );
}
