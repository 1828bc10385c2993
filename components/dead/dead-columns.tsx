/** The columns of the dead-letter list. */
import type { ReactNode } from 'react';
import { RelativeTime } from '@/components/ui/relative-time';
import { CLASS_MEANING } from '@/lib/contract/failures';
import type { JobSummary } from '@/lib/contract/job';
import { visible } from '@/lib/format/text';
import { ClassBadge } from './class-badge';

export interface DeadColumn {
  key: string;
  head: string;
  headTitle?: string;
  /** Pixels; without one it takes what is left. */
  width?: number;
  numeric?: boolean;
  /** Tailwind class that leaves it out where the room is scarce. */
  hide?: string;
  /** Only where there is room to spare. */
  wide?: boolean;
  title?: (job: JobSummary) => string | undefined;
  cell: (job: JobSummary) => ReactNode;
}

const NONE = <span className="text-faint">–</span>;

const mono = (value: string | null): ReactNode =>
  value === null ? NONE : <span className="font-mono text-xs">{visible(value)}</span>;

export const COLUMNS: readonly DeadColumn[] = [
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
    hide: 'max-sm:hidden',
    title: (job) => job.queue,
    cell: (job) => job.queue,
  },
  {
    key: 'type',
    head: 'Type',
    hide: 'max-sm:hidden',
    width: 128,
    title: (job) => `${job.jobType}, version ${job.jobVersion}`,
    cell: (job) => job.jobType,
  },
  {
    key: 'tenant',
    head: 'Tenant',
    width: 84,
    hide: 'max-md:hidden',
    title: (job) => job.tenantId,
    cell: (job) => job.tenantId,
  },
  {
    key: 'class',
    head: 'Class',
    hide: 'max-sm:hidden',
    width: 128,
    title: (job) => (job.errorClass ? CLASS_MEANING[job.errorClass] : undefined),
    cell: (job) => (job.errorClass ? <ClassBadge value={job.errorClass} /> : NONE),
  },
  {
    key: 'code',
    head: 'Code',
    width: 114,
    title: (job) => job.errorCode ?? undefined,
    cell: (job) => mono(job.errorCode),
  },
  {
    key: 'message',
    head: 'Message',
    hide: 'max-sm:hidden',
    title: (job) => (job.message === null ? undefined : visible(job.message)),
    cell: (job) => (job.message === null ? NONE : <span className="text-muted">{visible(job.message)}</span>),
  },
  {
    key: 'attempt',
    head: 'Attempts',
    hide: 'max-sm:hidden',
    headTitle: 'Attempts used of the most it may use',
    width: 66,
    numeric: true,
    cell: (job) => (
      <>
        {job.attempt}
        <span className="text-faint"> / {job.maxAttempts}</span>
      </>
    ),
  },
  {
    key: 'deliveries',
    head: 'Delivered',
    headTitle: 'How often a worker claimed it, re-drives included',
    width: 70,
    numeric: true,
    wide: true,
    cell: (job) => `${job.deliveries} ×`,
  },
  {
    key: 'worker',
    head: 'Worker',
    width: 132,
    wide: true,
    title: (job) => job.worker ?? undefined,
    cell: (job) => mono(job.worker),
  },
];
