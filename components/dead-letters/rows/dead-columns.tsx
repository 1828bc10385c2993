/** The columns of the dead-letter list. */
import { ClassLabel } from '@/components/shared/job-lists/class-label';
import {
  attemptColumn,
  codeColumn,
  jobColumn,
  messageColumn,
  NONE,
  tenantColumn,
  typeColumn,
  workerColumn,
} from '@/components/shared/job-lists/job-columns';
import type { DataColumn } from '@/components/ui/tables/data-table';
import { RelativeTime } from '@/components/ui/text/relative-time';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';

/** Widths leave the message at least 140 px in every room, and most of it in a wide one. */
export const DEAD_COLUMNS: readonly DataColumn<JobSummary>[] = [
  { ...jobColumn, width: 118 },
  {
    key: 'died',
    head: 'Died',
    width: 80,
    cell: (job) => <RelativeTime at={job.stateAt} className="text-muted" />,
  },
  {
    key: 'queue',
    head: 'Queue',
    width: 92,
    narrow: '@max-5xl:hidden',
    title: (job) => job.queue,
    constant: (job) => job.queue,
    cell: (job) => job.queue,
  },
  { ...typeColumn, width: 132, narrow: '@max-3xl:hidden' },
  { ...tenantColumn, width: 92 },
  {
    key: 'class',
    head: 'Class',
    width: 100,
    narrow: '@max-xl:hidden',
    constant: (job) => job.errorClass,
    cell: (job) => (job.errorClass ? <ClassLabel value={job.errorClass} /> : NONE),
  },
  { ...codeColumn, width: 112, narrow: '@max-2xl:hidden' },
  messageColumn,
  { ...attemptColumn, head: 'Attempts', width: 88, narrow: '@max-6xl:hidden' },
  {
    key: 'deliveries',
    head: 'Delivered',
    headTitle: 'How often a worker claimed it, including after re-drives',
    width: 88,
    numeric: true,
    narrow: '@max-[88rem]:hidden',
    cell: (job) => `${job.deliveries} ×`,
  },
  { ...workerColumn, width: 132, narrow: '@max-[88rem]:hidden' },
];
