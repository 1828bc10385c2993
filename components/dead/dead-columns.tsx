/** The columns of the dead-letter list. */
import type { ReactNode } from 'react';
import { Badge } from '@/components/ui/badge';
import { RelativeTime } from '@/components/ui/relative-time';
import type { Tone } from '@/components/ui/tone';
import { CLASS_MEANING, type ErrorClass } from '@/lib/contract/failures';
import type { JobSummary } from '@/lib/contract/job';
import { visible } from '@/lib/format/text';

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

/** What the class says about trying again, which is what one looks for here. */
const CLASS_TONE: Readonly<Record<ErrorClass, Tone>> = {
  retryable: 'warn',
  'rate-limited': 'warn',
  permanent: 'bad',
  malformed: 'bad',
  'unsupported-version': 'bad',
  deadline: 'neutral',
  crash: 'bad',
  cancelled: 'neutral',
};

const mono = (value: string | null): ReactNode =>
  value === null ? NONE : <span className="font-mono text-xs">{visible(value)}</span>;

export const COLUMNS: readonly DeadColumn[] = [
  {
    key: 'died',
    head: 'Died',
    width: 72,
    cell: (job) => <RelativeTime at={job.stateAt} className="text-muted" />,
  },
  { key: 'queue', head: 'Queue', width: 78, title: (job) => job.queue, cell: (job) => job.queue },
  {
    key: 'type',
    head: 'Type',
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
    width: 128,
    title: (job) => (job.errorClass ? CLASS_MEANING[job.errorClass] : undefined),
    cell: (job) =>
      job.errorClass ? (
        <Badge tone={CLASS_TONE[job.errorClass]} className="max-w-full align-middle">
          <span className="truncate">{job.errorClass}</span>
        </Badge>
      ) : (
        NONE
      ),
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
    title: (job) => (job.message === null ? undefined : visible(job.message)),
    cell: (job) => (job.message === null ? NONE : <span className="text-muted">{visible(job.message)}</span>),
  },
  {
    key: 'attempt',
    head: 'Attempts',
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
