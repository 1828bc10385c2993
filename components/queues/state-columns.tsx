/** The columns of the job list by state. */

import {
  attemptColumn,
  classColumn,
  codeColumn,
  jobColumn,
  messageColumn,
  NONE,
  tenantColumn,
  typeColumn,
  workerColumn,
} from '@/components/shared/job-lists/job-columns';
import { heldReason } from '@/components/shared/pause/held-reason';
import { CountdownRing } from '@/components/ui/ring';
import type { DataColumn } from '@/components/ui/tables/data-table';
import { Duration } from '@/components/ui/text/number';
import { RelativeTime } from '@/components/ui/text/relative-time';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import type { JobState } from '@/lib/contract/jobs/job-states';
import type { Pause } from '@/lib/contract/queues/pause-schemas';
import type { QueueConfig } from '@/lib/contract/queues/queue-config';

export interface ColumnContext {
  pauses: readonly Pause[];
  /** Undefined while loading. */
  config: QueueConfig | undefined;
  /** The worker's lease length, if known. */
  leaseMsOf: (worker: string | null) => number | null;
}

type JobColumn = DataColumn<JobSummary>;

const priority: JobColumn = {
  key: 'priority',
  head: 'Priority',
  width: 76,
  numeric: true,
  narrow: '@max-4xl:hidden',
  constant: (job) => String(job.priority),
  cell: (job) => (job.priority === 0 ? <span className="text-faint">0</span> : job.priority),
};
const since = (head: string): JobColumn => ({
  key: 'since',
  head,
  width: 96,
  numeric: true,
  stacked: 'end',
  cell: (job) => <RelativeTime at={job.stateAt} />,
});
const created: JobColumn = {
  key: 'created',
  head: 'Created',
  width: 96,
  numeric: true,
  narrow: '@max-xl:hidden',
  cell: (job) => <RelativeTime at={job.createdAt} />,
};
const lease = ({ leaseMsOf }: ColumnContext): JobColumn => ({
  key: 'lease',
  head: 'Lease',
  width: 58,
  numeric: true,
  cell: (job) =>
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
});
const claimed: JobColumn = {
  key: 'claimed',
  head: 'Claimed',
  width: 96,
  narrow: '@max-xl:hidden',
  numeric: true,
  cell: (job) => <RelativeTime at={job.claimedAt} />,
};
const ran: JobColumn = {
  key: 'ran',
  head: 'Run time',
  width: 84,
  numeric: true,
  narrow: '@max-xl:hidden',
  cell: (job) =>
    job.stateAt !== null && job.claimedAt !== null ? <Duration ms={job.stateAt - job.claimedAt} /> : NONE,
};
const heldBy = ({ pauses, config }: ColumnContext): JobColumn => ({
  key: 'held-by',
  head: 'Held by',
  title: (job) => job.tenantId,
  cell: (job) => {
    const held = heldReason(job, pauses, config);
    if (!held) return <span className="text-faint">{config ? 'released' : '…'}</span>;
    return (
      <>
        {held.by}: <span className="text-muted">{held.why}</span>
      </>
    );
  },
});

/** Where no message takes the rest, ids, types and tenants do: whole ids in a wide window, and types on a phone. */
const flexible = ({ width: _, ...column }: JobColumn): JobColumn => column;
const JOB_WIDTH = 132;
const attempt: JobColumn = { ...attemptColumn, title: (job) => `Claimed ${job.deliveries} times` };
const flexibleType: JobColumn = { ...flexible(typeColumn), narrow: '@max-3xs:hidden' };
const owner = [flexibleType, flexible(tenantColumn)] as const;
const entered = [...owner, priority] as const;
const failed = [typeColumn, tenantColumn, attempt, codeColumn] as const;

const COLUMNS: Readonly<Record<JobState, (context: ColumnContext) => readonly JobColumn[]>> = {
  ready: () => [...entered, attempt, { ...created, narrow: '@max-xs:hidden' }],
  'in-flight': (context) => [lease(context), ...owner, attempt, workerColumn, claimed],
  scheduled: () => [...entered, created, since('Due')],
  retry: () => [...failed, messageColumn, since('Due')],
  held: (context) => [...entered, heldBy(context), created],
  completed: () => [...owner, attempt, workerColumn, ran, since('Completed')],
  dead: () => [...failed, classColumn, messageColumn, since('Died')],
  suppressed: () => [...failed, classColumn, messageColumn, since('Suppressed')],
  trashed: () => [...failed, classColumn, messageColumn, since('Trashed')],
};

const FLEXIBLE: ReadonlySet<JobState> = new Set(['ready', 'in-flight', 'scheduled', 'held', 'completed']);

export const stateColumns = (state: JobState, context: ColumnContext): readonly JobColumn[] => [
  FLEXIBLE.has(state) ? flexible(jobColumn) : { ...jobColumn, width: JOB_WIDTH },
  ...COLUMNS[state](context),
];
