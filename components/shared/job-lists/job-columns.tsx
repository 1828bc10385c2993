/** Columns that lists of jobs have in common. */
import type { DataColumn } from '@/components/ui/tables/data-table';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import { revealHidden, titleText } from '@/lib/format/display-text';
import { ClassLabel } from './class-label';
import { JobLink } from './job-link';

type JobColumn = DataColumn<JobSummary>;

export const NONE = <span className="text-faint">–</span>;

const mono = (value: string | null) =>
  value === null ? (
    NONE
  ) : (
    <span translate="no" className="font-mono text-xs">
      {revealHidden(value)}
    </span>
  );

/** The id as a link. A plain click or Enter opens the job beside the list; with Ctrl, in a tab of its own. */
export const jobColumn: JobColumn = {
  key: 'job',
  head: 'Job',
  width: 118,
  pinned: true,
  stacked: 'lead',
  title: (job) => job.jobId,
  cell: (job) => <JobLink job={job} />,
};
type Label = Pick<JobColumn, 'key' | 'width' | 'narrow'> & { head: string };
/** A value that many jobs share: folded away while all rows have the same. */
const labelColumn = (value: (job: JobSummary) => string | null, label: Label): JobColumn => ({
  title: (job) => value(job) ?? undefined,
  constant: value,
  cell: value,
  ...label,
});
export const queueColumn = labelColumn((job) => job.queue, { key: 'queue', head: 'Queue', width: 92 });
export const typeColumn: JobColumn = {
  ...labelColumn((job) => job.jobType, {
    key: 'type',
    head: 'Type',
    width: 150,
    narrow: '@min-xl:@max-2xl:hidden',
  }),
  stacked: 'fill',
  title: (job) => `${job.jobType}, version ${job.jobVersion}`,
};
export const tenantColumn = labelColumn((job) => job.tenantId, {
  key: 'tenant',
  head: 'Tenant',
  width: 110,
  narrow: '@max-4xl:hidden',
});
export const classColumn: JobColumn = {
  ...labelColumn((job) => job.errorClass, {
    key: 'class',
    head: 'Class',
    width: 108,
    narrow: '@min-xl:@max-3xl:hidden',
  }),
  stacked: 'tag',
  cell: (job) => (job.errorClass ? <ClassLabel value={job.errorClass} /> : NONE),
};
export const codeColumn: JobColumn = {
  ...labelColumn((job) => job.errorCode, { key: 'code', head: 'Code', width: 120, narrow: '@max-xl:hidden' }),
  cell: (job) => mono(job.errorCode),
};
export const messageColumn: JobColumn = {
  key: 'message',
  head: 'Message',
  stacked: 'text',
  title: (job) => (job.message === null ? undefined : titleText(job.message)),
  cell: (job) => (job.message === null ? NONE : <span className="text-muted">{titleText(job.message)}</span>),
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
