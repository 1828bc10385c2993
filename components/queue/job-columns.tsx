/** Which columns suit which state, and what stands in them. */
import type { ReactNode } from 'react';
import { Duration } from '@/components/ui/duration';
import { RelativeTime } from '@/components/ui/relative-time';
import { CountdownRing } from '@/components/ui/ring';
import type { QueueConfig } from '@/lib/contract/config';
import { CLASS_MEANING } from '@/lib/contract/failures';
import type { JobSummary } from '@/lib/contract/job';
import type { Pause } from '@/lib/contract/queue';
import type { JobState } from '@/lib/contract/states';
import { visible } from '@/lib/format/text';
import { heldWords } from './held-words';

export interface ColumnContext {
  pauses: readonly Pause[];
  /** Undefined until it is known. */
  config: QueueConfig | undefined;
  /** The lease a worker takes, when it is known. */
  leaseMsOf: (worker: string | null) => number | null;
}

export interface JobColumn {
  key: string;
  head: string;
  /** Pixels; without one it shares what is left. */
  width?: number;
  numeric?: boolean;
  /** Left out where the room is scarce. */
  roomy?: boolean;
  title?: (job: JobSummary) => string | undefined;
  cell: (job: JobSummary, context: ColumnContext) => ReactNode;
}

const text = (value: string | null): ReactNode =>
  value === null ? <span className="text-faint">–</span> : visible(value);

const type: JobColumn = {
  key: 'type',
  head: 'Type',
  width: 150,
  title: (job) => `${job.jobType}, version ${job.jobVersion}`,
  cell: (job) => job.jobType,
};
const tenant: JobColumn = {
  key: 'tenant',
  head: 'Tenant',
  width: 110,
  roomy: true,
  title: (job) => job.tenantId,
  cell: (job) => job.tenantId,
};
const priority: JobColumn = {
  key: 'priority',
  head: 'Priority',
  width: 68,
  numeric: true,
  roomy: true,
  cell: (job) => (job.priority === 0 ? <span className="text-faint">0</span> : job.priority),
};
const attempt: JobColumn = {
  key: 'attempt',
  head: 'Attempt',
  width: 72,
  numeric: true,
  title: (job) => `Claimed ${job.deliveries} times`,
  cell: (job) => (
    <>
      {job.attempt}
      <span className="text-faint"> / {job.maxAttempts}</span>
    </>
  ),
};
const since = (head: string): JobColumn => ({
  key: 'since',
  head,
  width: 96,
  numeric: true,
  cell: (job) => <RelativeTime at={job.stateAt} />,
});
const created: JobColumn = {
  key: 'created',
  head: 'Created',
  width: 96,
  numeric: true,
  roomy: true,
  cell: (job) => <RelativeTime at={job.createdAt} />,
};
const worker: JobColumn = {
  key: 'worker',
  head: 'Worker',
  title: (job) => job.worker ?? undefined,
  cell: (job) => <span className="font-mono text-xs">{text(job.worker)}</span>,
};
const code: JobColumn = {
  key: 'code',
  head: 'Code',
  width: 120,
  title: (job) => job.errorCode ?? undefined,
  cell: (job) => <span className="font-mono text-xs">{text(job.errorCode)}</span>,
};
const errorClass: JobColumn = {
  key: 'class',
  head: 'Class',
  width: 104,
  roomy: true,
  title: (job) => (job.errorClass ? CLASS_MEANING[job.errorClass] : undefined),
  cell: (job) => text(job.errorClass),
};
const message: JobColumn = {
  key: 'message',
  head: 'Message',
  title: (job) => (job.message === null ? undefined : visible(job.message)),
  cell: (job) => <span className="text-muted">{text(job.message)}</span>,
};
const lease: JobColumn = {
  key: 'lease',
  head: 'Lease',
  width: 58,
  numeric: true,
  cell: (job, { leaseMsOf }) =>
    job.stateAt === null ? (
      '–'
    ) : (
      <CountdownRing
        until={job.stateAt}
        totalMs={leaseMsOf(job.worker) ?? job.stateAt - (job.claimedAt ?? job.stateAt)}
        size={22}
        className="align-middle"
      />
    ),
};
const claimed: JobColumn = {
  key: 'claimed',
  head: 'Claimed',
  width: 96,
  numeric: true,
  cell: (job) => <RelativeTime at={job.claimedAt} />,
};
const ran: JobColumn = {
  key: 'ran',
  head: 'Run time',
  width: 84,
  numeric: true,
  cell: (job) =>
    job.stateAt !== null && job.claimedAt !== null ? (
      <Duration ms={job.stateAt - job.claimedAt} />
    ) : (
      <span className="text-faint">–</span>
    ),
};
const heldBy: JobColumn = {
  key: 'held-by',
  head: 'Held by the',
  title: (job) => job.tenantId,
  cell: (job, { pauses, config }) => {
    const held = heldWords(job, pauses, config);
    if (!held) return <span className="text-faint">{config ? 'let go just now' : '…'}</span>;
    return (
      <>
        {held.by}: <span className="text-muted">{held.why}</span>
      </>
    );
  },
};

export const COLUMNS: Readonly<Record<JobState, readonly JobColumn[]>> = {
  ready: [type, tenant, priority, attempt, created],
  'in-flight': [lease, type, tenant, attempt, worker, claimed],
  scheduled: [type, tenant, priority, created, since('Due')],
  retry: [type, tenant, attempt, code, message, since('Due')],
  held: [type, tenant, priority, heldBy, created],
  completed: [type, tenant, attempt, worker, ran, since('Completed')],
  dead: [type, tenant, attempt, code, errorClass, message, since('Died')],
  suppressed: [type, tenant, attempt, code, errorClass, message, since('Suppressed')],
  trashed: [type, tenant, attempt, code, errorClass, message, since('Trashed')],
};
