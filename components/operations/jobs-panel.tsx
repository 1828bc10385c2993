'use client';
import type { Route } from 'next';
import Link from 'next/link';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { ErrorState } from '@/components/ui/error-state';
import { NavTabs } from '@/components/ui/nav-tabs';
import { Pagination } from '@/components/ui/pagination';
import { Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/relative-time';
import { SkeletonRows } from '@/components/ui/skeleton';
import { StateBadge } from '@/components/ui/state-badge';
import { FullRow, Table, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import { links } from '@/lib/client/links';
import { useOperationJobs } from '@/lib/client/use-operations';
import type { JobSummary } from '@/lib/contract/job';
import { type Operation, RERUNS } from '@/lib/contract/operations';
import { plural } from '@/lib/format/plural';
import { visible } from '@/lib/format/text';
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
  const [cursor, setCursor] = useState<string | null>(null);
  const { data, error, refetch, isFetching, isPlaceholderData } = useOperationJobs(id, tab, { cursor });
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
  return (
    <>
      <Table label="Jobs" className="table-fixed" region="max-h-[32rem]">
        <THead>
          <tr>
            <Th className="w-56 max-sm:w-32">Job</Th>
            <Th className="w-26">State</Th>
            <Th className="w-28 max-sm:hidden">Queue</Th>
            <Th className="w-40 max-md:hidden">Type</Th>
            <Th className="w-28 max-md:hidden">Tenant</Th>
            <Th>Error</Th>
            <Th numeric className="w-20">
              Since
            </Th>
          </tr>
        </THead>
        <TBody>
          {!data && <SkeletonRows columns={7} rows={6} />}
          {data?.jobs.length === 0 && <FullRow span={7}>{NONE[tab]}</FullRow>}
          {data?.jobs.map((job) => (
            <Row key={`${job.queue}/${job.jobId}`} job={job} />
          ))}
        </TBody>
      </Table>
      <Pagination
        shown={data?.jobs.length ?? 0}
        noun={plural(data?.jobs.length ?? 0, 'job')}
        note={tab === 'completed' ? 'as far as completed jobs are kept' : undefined}
        isFirst={cursor === null}
        hasNext={data !== undefined && data.nextCursor !== null}
        pending={isPlaceholderData}
        onFirst={() => setCursor(null)}
        onNext={() => setCursor(data?.nextCursor ?? null)}
      />
    </>
  );
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
