import Link from 'next/link';
import { type DataColumn, DataTable } from '@/components/ui/tables/data-table';
import { MiddleCut } from '@/components/ui/text/middle-cut';
import { Num } from '@/components/ui/text/number';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { links } from '@/lib/browser/links';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import type { Preview } from '@/lib/contract/operations/operation-preview';
import { ageLabel } from '@/lib/contract/search/search-limits';
import { revealHidden } from '@/lib/format/display-text';
import { fullNumber, percentOf } from '@/lib/format/number';
import { plural } from '@/lib/format/plural';

const FIELDS = [
  { field: 'queue', label: 'Queue', noun: 'queue' },
  { field: 'type', label: 'Type', noun: 'type' },
  { field: 'code', label: 'Error code', noun: 'code' },
  { field: 'class', label: 'Class', noun: 'class' },
  { field: 'age', label: 'Age', noun: 'age' },
  { field: 'tenant', label: 'Tenant', noun: 'tenant' },
] as const;
const SHOWN = 5;

/** How the matches spread over each field, the most frequent value first. */
export function PreviewBreakdown({ breakdown, ageSampled }: Pick<Preview, 'breakdown' | 'ageSampled'>) {
  const fields = FIELDS.filter(({ field }) => breakdown[field].some(({ count }) => count > 0));
  if (fields.length === 0) return null;
  return (
    <section aria-label="Breakdown" className="grid gap-x-5 gap-y-3 sm:grid-cols-2 lg:grid-cols-3">
      {fields.map(({ field, label, noun }) => (
        <Spread
          key={field}
          label={
            field === 'age' && ageSampled !== null
              ? `${label} (of the newest ${fullNumber(ageSampled)})`
              : label
          }
          noun={noun}
          values={
            field === 'age'
              ? breakdown.age.map(({ value, count }) => ({ value: ageLabel(value), count }))
              : breakdown[field]
          }
        />
      ))}
    </section>
  );
}

function Spread({
  label,
  noun,
  values,
}: {
  label: string;
  noun: string;
  values: readonly { value: string; count: number }[];
}) {
  const present = values.filter(({ count }) => count > 0);
  const total = present.reduce((sum, { count }) => sum + count, 0);
  const rest = present.slice(SHOWN);
  return (
    <div className="min-w-0">
      <h4 className="mb-1 text-faint text-xs">{label}</h4>
      <ul className="grid gap-0.5">
        {present.slice(0, SHOWN).map(({ value, count }) => (
          <li
            key={value}
            title={`${value}: ${percentOf(count, total)}`}
            className="relative isolate flex h-5 items-center justify-between gap-2 overflow-hidden rounded-sm px-1.5 text-xs"
          >
            <span
              aria-hidden
              className="absolute inset-y-0 left-0 -z-10 bg-accent/11"
              style={{ width: `${(count / Math.max(1, total)) * 100}%` }}
            />
            <span className="min-w-0 truncate">{value}</span>
            <Num value={count} className="text-muted" />
          </li>
        ))}
        {rest.length > 0 && (
          <li className="flex h-5 items-center justify-between gap-2 px-1.5 text-faint text-xs">
            <span>
              {rest.length} more {plural(rest.length, noun, noun === 'class' ? 'classes' : `${noun}s`)}
            </span>
            <Num value={rest.reduce((sum, { count }) => sum + count, 0)} />
          </li>
        )}
      </ul>
    </div>
  );
}

const COLUMNS: readonly DataColumn<JobSummary>[] = [
  {
    key: 'job',
    head: 'Job',
    className: 'w-36 max-sm:w-28',
    cellClassName: 'font-mono',
    cell: ({ queue, jobId }) => (
      <Link
        href={links.job(queue, jobId)}
        target="_blank"
        title={`${jobId} (opens in a new tab)`}
        aria-label={jobId}
        className="flex rounded-xs text-accent hover:underline"
      >
        <MiddleCut text={jobId} tail={6} />
      </Link>
    ),
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
    className: 'w-28',
    title: ({ jobType }) => jobType,
    cell: ({ jobType }) => jobType,
  },
  {
    key: 'tenant',
    head: 'Tenant',
    className: 'w-22 max-sm:hidden',
    title: ({ tenantId }) => tenantId,
    cell: ({ tenantId }) => tenantId,
  },
  {
    key: 'error',
    head: 'Error',
    cellClassName: 'text-muted',
    title: ({ message }) => (message ? revealHidden(message) : undefined),
    cell: ({ errorCode, message }) => (errorCode ? revealHidden(`${errorCode} ${message ?? ''}`) : '–'),
  },
  {
    key: 'since',
    head: 'Since',
    numeric: true,
    className: 'w-20 max-sm:hidden',
    cellClassName: 'text-muted',
    cell: ({ stateAt }) => <RelativeTime at={stateAt} />,
  },
];

/** A few of the matches, so that the user can check them. Each opens in a new tab. */
export function SampleJobs({ jobs }: { jobs: readonly JobSummary[] }) {
  if (jobs.length === 0) return null;
  return (
    <section>
      <h4 className="mb-1 text-faint text-xs">
        {jobs.length === 1 ? 'A sample job' : `A sample of ${jobs.length} jobs`}
      </h4>
      <DataTable
        label="Samples"
        tight
        region="rounded border border-line max-h-56"
        columns={COLUMNS}
        rows={jobs}
        rowKey={({ queue, jobId }) => `${queue}/${jobId}`}
      />
    </section>
  );
}
