/** The columns of the dead-letter list. */
import {
  attemptColumn,
  classColumn,
  codeColumn,
  jobColumn,
  messageColumn,
  queueColumn,
  tenantColumn,
  typeColumn,
  workerColumn,
} from '@/components/shared/job-lists/job-columns';
import type { DataColumn } from '@/components/ui/tables/data-table';
import { RelativeTime } from '@/components/ui/text/relative-time';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';

/** Widths leave the message at least 140 px in every room, and most of it in a wide one. On a phone it has a whole line. */
export const DEAD_COLUMNS: readonly DataColumn<JobSummary>[] = [
  { ...jobColumn, width: 118 },
  {
    key: 'died',
    head: 'Died',
    width: 80,
    stacked: 'end',
    cell: (job) => <RelativeTime at={job.stateAt} className="text-muted" />,
  },
  { ...queueColumn, narrow: '@max-5xl:hidden' },
  { ...typeColumn, width: 132, narrow: '@min-xl:@max-3xl:hidden' },
  { ...tenantColumn, width: 92 },
  { ...classColumn, width: 106, narrow: undefined },
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
