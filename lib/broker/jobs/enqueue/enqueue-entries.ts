/** Jobs on their way in: checked, with an id, and cut into parts for the scripts. */
import { SCRIPT_BATCHES } from '@/lib/broker/redis/scripts/script-batches';
import type { EnqueueInput, EnqueueJob } from '@/lib/contract/jobs/envelope';
import { enqueueSchema } from '@/lib/contract/jobs/envelope';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import { cutBatches } from '../job-batches';
import { timeOfId, timeOrderedId } from '../job-id';
import { checkPayload, encodeRow } from '../job-row';
import { fastValidateJob } from './fast-validate-job';

/** Per script call, with `SCRIPT_BATCHES`, whichever comes first: bounds the time one call may hold Redis, whatever the payloads. */
export const SCRIPT_MAX_BYTES = 512 * 1024;
/** What a row has besides the payload, about: a job without any is not for nothing. */
const ROW_HEAD_BYTES = 100;

/** A job that has been checked, and has its id. */
export interface EnqueueEntry {
  readonly jobId: string;
  readonly tenantId: string;
  readonly unique: EnqueueJob['unique'];
  readonly job: EnqueueJob;
  readonly createdAt: number;
  /** Its id was made for it just now, and was never sent: the script need not look for it. */
  readonly isNew: boolean;
  /** How long ago it was sent first, at most. Null: not known. */
  readonly ageMs: number | null;
}

/** Checks a job, all that can be wrong with it. @throws RedriveError VALIDATION | PAYLOAD_TOO_LARGE */
export function toEnqueueEntry(input: EnqueueInput, createdAt: number, what = 'job'): EnqueueEntry {
  const checked = fastValidateJob(input) ?? parseOrThrow(enqueueSchema, input, what);
  checkPayload(checked);
  const { payload, tenantId, unique } = checked;
  const jobId = checked.jobId ?? timeOrderedId(createdAt);
  const madeAt = checked.jobId === undefined ? null : timeOfId(checked.jobId);
  // Bytes are the caller's, who may write the next job into them before this one is sent.
  const job =
    payload === undefined || typeof payload === 'string'
      ? checked
      : { ...checked, payload: Buffer.from(payload) };
  // Both times are of clocks of producers, mostly of the same one: Redis's may be another.
  const ageMs = madeAt === null ? null : Math.max(0, createdAt - madeAt);
  return { jobId, tenantId, unique, job, createdAt, isNew: checked.jobId === undefined, ageMs };
}

export const entryRow = ({ job, createdAt }: EnqueueEntry): string | Buffer => encodeRow(job, createdAt);

/** For text its length is near enough: the bound is on Redis's time, and none is more than four times as long in bytes. */
export const entryBytes = ({ job }: EnqueueEntry): number => ROW_HEAD_BYTES + (job.payload?.length ?? 0);

/** A job with a key costs Redis twice as much. */
const weightOf = ({ job, unique }: EnqueueEntry): number =>
  unique || job.idempotencyKey !== undefined ? 2 : 1;
const PART_LIMITS = [
  { most: SCRIPT_BATCHES.enqueue.most, of: weightOf },
  { most: SCRIPT_MAX_BYTES, of: entryBytes },
];

/** Cuts a batch into script calls: `[from, to)` by job. */
export const partsOf = (entries: readonly EnqueueEntry[]): [number, number][] =>
  cutBatches(entries, PART_LIMITS);

/** Whether all of it is in or none. */
export const isOneScript = (entries: readonly EnqueueEntry[]): boolean => partsOf(entries).length === 1;
