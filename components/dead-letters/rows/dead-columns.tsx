/** The columns of the dead-letter list. */
import Link from 'next/link';
import {
  attemptColumn,
  codeColumn,
  messageColumn,
  NONE,
  tenantColumn,
  typeColumn,
  workerColumn,
} from '@/components/shared/job-columns';
import type { DataColumn } from '@/components/ui/tables/data-table';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { links } from '@/lib/browser/links';
import { ERROR_CLASS_MEANING } from '@/lib/contract/jobs/error-classes';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import { truncateMiddle } from '@/lib/format/display-text';
import { ClassBadge } from '../class-badge';

/** Hidden on narrow screens; without the facets beside the list there is more room. */
const WIDE = 'max-2xl:hidden';
const ID_CHARS = 13;

const COLUMNS: readonly DataColumn<JobSummary>[] = [
  {
    key: 'job',
    head: 'Job',
    width: 118,
    title: (job) => job.jobId,
    cell: (job) => (
      <Link
        data-row-link
        href={links.job(job.queue, job.jobId)}
        prefetch={false}
        className="font-mono text-xs hover:underline"
      >
        {truncateMiddle(job.jobId, ID_CHARS)}
      </Link>
    ),
  },
  {
    key: 'died',
    head: 'Died',
    width: 84,
    cell: (job) => <RelativeTime at={job.stateAt} className="text-muted" />,
  },
  {
    key: 'queue',
    head: 'Queue',
    width: 78,
    className: 'max-sm:hidden',
    title: (job) => job.queue,
    cell: (job) => job.queue,
  },
  { ...typeColumn, width: 128, className: 'max-sm:hidden' },
  { ...tenantColumn, width: 84 },
  {
    key: 'class',
    head: 'Class',
    className: 'max-sm:hidden',
    width: 128,
    title: (job) => (job.errorClass ? ERROR_CLASS_MEANING[job.errorClass] : undefined),
    cell: (job) => (job.errorClass ? <ClassBadge value={job.errorClass} /> : NONE),
  },
  { ...codeColumn, width: 114 },
  { ...messageColumn, className: 'max-sm:hidden' },
  {
    ...attemptColumn,
    head: 'Attempts',
    headTitle: 'Attempts used, of the maximum',
    width: 66,
    truncate: true,
    className: 'max-sm:hidden',
  },
  {
    key: 'deliveries',
    head: 'Delivered',
    headTitle: 'How often a worker claimed it, including after re-drives',
    width: 70,
    numeric: true,
    className: WIDE,
    cell: (job) => `${job.deliveries} ×`,
  },
  { ...workerColumn, width: 132, className: WIDE },
];

const ROOMY_COLUMNS = COLUMNS.map((column) =>
  column.className === WIDE ? { ...column, className: 'max-xl:hidden' } : column,
);

export const deadColumns = ({ facets }: { facets: boolean }): readonly DataColumn<JobSummary>[] =>
  facets ? COLUMNS : ROOMY_COLUMNS;
