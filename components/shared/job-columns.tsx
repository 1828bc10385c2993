/** Columns that lists of jobs have in common. */
import type { DataColumn } from '@/components/ui/tables/data-table';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import { revealHidden } from '@/lib/format/display-text';

type JobColumn = DataColumn<JobSummary>;

export const NONE = <span className="text-faint">–</span>;

const mono = (value: string | null) =>
  value === null ? NONE : <span className="font-mono text-xs">{revealHidden(value)}</span>;

export const typeColumn: JobColumn = {
  key: 'type',
  head: 'Type',
  width: 150,
  title: (job) => `${job.jobType}, version ${job.jobVersion}`,
  cell: (job) => job.jobType,
};
export const tenantColumn: JobColumn = {
  key: 'tenant',
  head: 'Tenant',
  width: 110,
  className: 'max-md:hidden',
  title: (job) => job.tenantId,
  cell: (job) => job.tenantId,
};
export const codeColumn: JobColumn = {
  key: 'code',
  head: 'Code',
  width: 120,
  title: (job) => job.errorCode ?? undefined,
  cell: (job) => mono(job.errorCode),
};
export const messageColumn: JobColumn = {
  key: 'message',
  head: 'Message',
  title: (job) => (job.message === null ? undefined : revealHidden(job.message)),
  cell: (job) =>
    job.message === null ? NONE : <span className="text-muted">{revealHidden(job.message)}</span>,
};
export const attemptColumn: JobColumn = {
  key: 'attempt',
  head: 'Attempt',
  width: 72,
  numeric: true,
  cell: (job) => (
    <>
      {job.attempt}
      <span className="text-faint"> / {job.maxAttempts}</span>
    </>
  ),
};
export const workerColumn: JobColumn = {
  key: 'worker',
  head: 'Worker',
  title: (job) => job.worker ?? undefined,
  cell: (job) => mono(job.worker),
};
