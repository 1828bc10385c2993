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
import type { Operation } from '@/lib/contract/operations';
import { plural } from '@/lib/format/plural';
import { visible } from '@/lib/format/text';
import { type OutcomeTab, operationQuery, outcomeParts } from './words';

const TABS = ['died-again', 'completed', 'running', 'waiting'] as const satisfies readonly OutcomeTab[];

/** The jobs behind each number of the outcome. */
export function JobsPanel({ operation }: { operation: Operation }) {
  const { id, outcome } = operation;
  const [tab] = useQueryState('jobs', parseAsStringLiteral(TABS));
  const counts = outcome ? outcomeParts(outcome) : [];
  const countOf = (value: OutcomeTab) => counts.find((part) => part.tab === value)?.value ?? 0;
  // Died again first when there are any: that is what one looks for.
  const current = tab ?? (countOf('died-again') > 0 ? 'died-again' : 'completed');
  return (
    <Panel flush className="lg:col-span-2">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <NavTabs
          label="Jobs it moved"
          value={current}
          className="min-w-0 flex-1 px-1"
          items={TABS.map((value) => ({
            value,
            label: counts.find((part) => part.tab === value)?.label ?? value,
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
      <Jobs key={current} id={id} tab={current} />
    </Panel>
  );
}

function Jobs({ id, tab }: { id: string; tab: OutcomeTab }) {
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
      <Table label="Jobs" region="max-h-[32rem]">
        <THead>
          <tr>
            <Th>Job</Th>
            <Th>State</Th>
            <Th className="max-sm:hidden">Queue</Th>
            <Th className="max-md:hidden">Type</Th>
            <Th className="max-md:hidden">Tenant</Th>
            <Th>Error</Th>
            <Th numeric>Since</Th>
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

const NONE: Readonly<Record<OutcomeTab, string>> = {
  completed: 'None of them has completed, or is no longer kept.',
  running: 'None of them runs.',
  waiting: 'None of them waits.',
  'died-again': 'None of them died again.',
};

function Row({ job }: { job: JobSummary }) {
  return (
    <Tr>
      <Td truncate className="w-56 font-mono text-xs">
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
      <Td className="max-sm:hidden">{job.queue}</Td>
      <Td className="max-md:hidden">{job.jobType}</Td>
      <Td className="max-md:hidden">{job.tenantId}</Td>
      <Td truncate className="w-2/5 text-muted" title={job.message ? visible(job.message) : undefined}>
        {job.errorCode ? visible(`${job.errorCode} ${job.message ?? ''}`) : '–'}
      </Td>
      <Td numeric className="text-muted">
        <RelativeTime at={job.stateAt} />
      </Td>
    </Tr>
  );
}
