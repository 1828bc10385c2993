/** Columns that lists of jobs have in common. */
import type { DataColumn } from '@/components/ui/tables/data-table';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { JobLink } from './job-link';

type JobColumn = DataColumn<JobSummary>;

export const NONE = <span className="text-faint">–</span>;

const mono = (value: string | null) =>
  value === null ? NONE : <span className="font-mono text-xs">{revealHidden(value)}</span>;

/** The id as a link. A plain click or Enter opens the job beside the list; with Ctrl, in a tab of its own. */
export const jobColumn: JobColumn = {
  key: 'job',
  head: 'Job',
  width: 118,
  pinned: true,
  title: (job) => job.jobId,
  cell: (job) => <JobLink job={job} />,
};
export const typeColumn: JobColumn = {
  key: 'type',
  head: 'Type',
  width: 150,
  narrow: '@max-2xl:hidden',
  title: (job) => `${job.jobType}, version ${job.jobVersion}`,
  constant: (job) => job.jobType,
  cell: (job) => job.jobType,
};
export const tenantColumn: JobColumn = {
  key: 'tenant',
  head: 'Tenant',
  width: 110,
  narrow: '@max-4xl:hidden',
  title: (job) => job.tenantId,
  constant: (job) => job.tenantId,
  cell: (job) => job.tenantId,
};
export const codeColumn: JobColumn = {
  key: 'code',
  head: 'Code',
  width: 120,
  narrow: '@max-xl:hidden',
  title: (job) => job.errorCode ?? undefined,
  constant: (job) => job.errorCode,
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
  headTitle: 'Attempts used, of the maximum',
  width: 84,
  narrow: '@max-5xl:hidden',
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
  narrow: '@max-2xl:hidden',
  title: (job) => job.worker ?? undefined,
  cell: (job) => mono(job.worker),
};
