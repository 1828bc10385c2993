'use client';
import Link from 'next/link';
import { useState } from 'react';
import { LoadError } from '@/components/shared/load-error';
import { StateBadge } from '@/components/shared/state-badge';
import { urlOneOf, useUrlState } from '@/components/shared/url-state';
import { Button } from '@/components/ui/controls/button';
import { NavTabs } from '@/components/ui/nav-tabs';
import { Panel } from '@/components/ui/panel';
import { type DataColumn, DataTable } from '@/components/ui/tables/data-table';
import { Pagination } from '@/components/ui/tables/pagination';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { links } from '@/lib/browser/links';
import { useOperationJobs } from '@/lib/browser/use-operations';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import type { Operation, OperationJobsPage } from '@/lib/contract/operations/operation';
import { SKIP_LABELS } from '@/lib/contract/operations/operation-effects';
import { RERUNS } from '@/lib/contract/operations/operation-kinds';
import { titleText } from '@/lib/format/display-text';
import { fullNumber } from '@/lib/format/number';
import { plural } from '@/lib/format/plural';
import { type OutcomeTab, operationQuery, outcomeParts } from './labels';

const TABS = [
  'died-again',
  'completed',
  'running',
  'waiting',
  'skipped',
] as const satisfies readonly OutcomeTab[];
const PARSERS = { jobs: urlOneOf(TABS) };

/** The jobs behind each number of the outcome, and the skipped ones. */
export function OperationJobsPanel({ operation }: { operation: Operation }) {
  const { id, outcome, skipped } = operation;
  const [{ jobs: chosen }] = useUrlState(PARSERS);
  const parts = outcome ? outcomeParts(outcome) : [];
  const countOf = (value: OutcomeTab) =>
    value === 'skipped' ? skipped : (parts.find((part) => part.tab === value)?.value ?? 0);
  // Only jobs that run again have an outcome.
  const tabs = TABS.filter((value) => value === 'skipped' || RERUNS.has(operation.kind));
  // With the numbers of the tabs they add up to all that were moved.
  const unlisted = parts
    .filter(({ tab, value }) => tab === null && value > 0)
    .map(({ label, value }) => `${fullNumber(value)} ${label.toLowerCase()}`);
  // Jobs that died again come first: they are what one looks for.
  const usual = countOf('died-again') > 0 ? 'died-again' : operation.moved > 0 ? 'completed' : 'skipped';
  const current = tabs.find((value) => value === chosen) ?? (tabs.length > 1 ? usual : 'skipped');
  return (
    <Panel flush className="lg:col-span-2">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <NavTabs
          label="Jobs of the operation"
          value={current}
          className="min-w-0 flex-1 px-1"
          items={tabs.map((value) => ({
            value,
            label:
              value === 'skipped' ? 'Skipped' : (parts.find((part) => part.tab === value)?.label ?? value),
            href: `${links.operation(id)}?jobs=${value}`,
            count: countOf(value),
          }))}
        />
        {unlisted.length > 0 && <p className="px-3 text-muted text-sm">Not listed: {unlisted.join(', ')}.</p>}
        {current === 'died-again' && countOf('died-again') > 0 && (
          <Button asChild size="sm" className="mr-2">
            <Link href={links.dead(operationQuery(id))}>Open in dead letters</Link>
          </Button>
        )}
      </div>
      <JobList key={current} id={id} tab={current} counted={countOf(current)} />
    </Panel>
  );
}

/** A listed job; `job` is null once it no longer exists, `skip` is set for a skipped one. */
interface ListedJob {
  readonly queue: string;
  readonly jobId: string;
  readonly job: JobSummary | null;
  readonly skip: NonNullable<OperationJobsPage['skips']>[number] | null;
}

function listedJobs({ jobs, skips }: OperationJobsPage, tab: OutcomeTab): readonly ListedJob[] {
  if (tab !== 'skipped') return jobs.map((job) => ({ queue: job.queue, jobId: job.jobId, job, skip: null }));
  const byKey = new Map(jobs.map((job) => [keyOf(job), job]));
  return (skips ?? []).map((skip) => ({
    queue: skip.queue,
    jobId: skip.jobId,
    job: byKey.get(keyOf(skip)) ?? null,
    skip,
  }));
}

const keyOf = ({ queue, jobId }: { queue: string; jobId: string }): string => `${queue}/${jobId}`;

const COMMON: readonly DataColumn<ListedJob>[] = [
  {
    key: 'job',
    head: 'Job',
    className: 'w-56 max-xl:w-40 max-sm:w-32',
    cellClassName: 'font-mono text-xs',
    cell: ({ queue, jobId, job }) =>
      job ? (
        <Link href={links.job(queue, jobId)} title={jobId} className="rounded-xs hover:underline">
          {jobId}
        </Link>
      ) : (
        <span title={jobId}>{jobId}</span>
      ),
  },
  {
    key: 'state',
    head: 'State',
    className: 'w-26',
    truncate: false,
    cell: ({ job }) =>
      job ? <StateBadge state={job.state} plain /> : <span className="text-faint">gone</span>,
  },
  {
    key: 'queue',
    head: 'Queue',
    className: 'w-28 max-sm:hidden',
    title: ({ queue }) => queue,
    cell: ({ queue }) => queue,
  },
  {
    key: 'type',
    head: 'Type',
    className: 'w-40 max-lg:hidden',
    title: ({ job }) => job?.jobType,
    cell: ({ job }) => job?.jobType ?? '–',
  },
];

const OUTCOME_COLUMNS: readonly DataColumn<ListedJob>[] = [
  ...COMMON,
  {
    key: 'tenant',
    head: 'Tenant',
    className: 'w-28 max-xl:hidden',
    title: ({ job }) => job?.tenantId,
    cell: ({ job }) => job?.tenantId,
  },
  {
    key: 'error',
    head: 'Error',
    cellClassName: 'text-muted',
    title: ({ job }) => (job?.message ? titleText(job.message) : undefined),
    cell: ({ job }) => (job?.errorCode ? titleText(`${job.errorCode} ${job.message ?? ''}`) : '–'),
  },
  {
    key: 'since',
    head: 'Since',
    className: 'w-20',
    numeric: true,
    cellClassName: 'text-muted',
    cell: ({ job }) => <RelativeTime at={job?.stateAt ?? null} />,
  },
];

const SKIP_COLUMNS: readonly DataColumn<ListedJob>[] = [
  ...COMMON,
  {
    key: 'reason',
    head: 'Skipped because',
    cellClassName: 'text-muted',
    title: ({ skip }) => (skip ? SKIP_LABELS[skip.reason] : undefined),
    cell: ({ skip }) => (skip ? SKIP_LABELS[skip.reason] : '–'),
  },
];

const EMPTY: Readonly<Record<OutcomeTab, string>> = {
  completed: 'No job has completed, or completed jobs are no longer kept.',
  running: 'No job is running.',
  waiting: 'No job is waiting.',
  'died-again': 'No job died again.',
  skipped: 'No skipped job is listed.',
};

const NOTES: Partial<Readonly<Record<OutcomeTab, string>>> = {
  completed: 'only those still kept',
  skipped: 'only the first 100 of each queue or shard are listed',
};

/** A job that was counted may be deleted or in another state by now. @param counted null: this is a later page */
export const emptyText = (tab: OutcomeTab, counted: number | null): string =>
  counted === null ? 'No more jobs.' : counted > 0 ? 'None of these jobs is listed any more.' : EMPTY[tab];

function JobList({ id, tab, counted }: { id: string; tab: OutcomeTab; counted: number }) {
  const [cursor, setCursor] = useState<string | null>(null);
  const query = useOperationJobs(id, tab, cursor);
  const { data, error, refetch, isPlaceholderData } = query;
  if (error && !data)
    return (
      <LoadError
        title="The jobs could not be loaded"
        query={query}
        onRetry={() => (error.code === 'BAD_CURSOR' ? setCursor(null) : void refetch())}
      />
    );
  const rows = data ? listedJobs(data, tab) : null;
  return (
    <>
      <DataTable
        label={tab === 'skipped' ? 'Skipped jobs' : 'Jobs'}
        region="max-h-[32rem]"
        columns={tab === 'skipped' ? SKIP_COLUMNS : OUTCOME_COLUMNS}
        rows={rows}
        rowKey={keyOf}
        empty={emptyText(tab, cursor === null ? counted : null)}
        skeletonRows={6}
      />
      <Pagination
        shown={rows?.length ?? null}
        noun={plural(rows?.length ?? 0, 'job')}
        note={NOTES[tab]}
        isFirst={cursor === null}
        hasNext={data !== undefined && data.nextCursor !== null}
        pending={isPlaceholderData}
        onFirst={() => setCursor(null)}
        onNext={() => setCursor(data?.nextCursor ?? null)}
      />
    </>
  );
}
