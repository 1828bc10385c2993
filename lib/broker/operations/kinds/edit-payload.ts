/** Edits payloads, for the operation and its preview. */

import { decodeRow } from '@/lib/broker/jobs/job-row';
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { knownHandlers } from '@/lib/broker/workers/known-handlers';
import { PAYLOAD_MAX_BYTES } from '@/lib/contract/jobs/job-limits';
import type { SkipReason } from '@/lib/contract/operations/operation-kinds';
import type { PatchStep } from '@/lib/contract/operations/operation-request';
import { payloadProblem } from '@/lib/contract/workers/handler-schemas';
import { applyPatch, replacesWhole } from './json-patch';

/** Rows are read in parts up to `READ_MAX_BYTES`; the first part tells how large they are. */
const READ_FIRST = 4;
const READ_AT_ONCE = 25;
const READ_MAX_BYTES = 128 * 1024;

/** Why the handler of a job of `queue` would refuse a payload; null: unknown, or it would not. */
export type PayloadCheck = (
  queue: string,
  jobType: string,
  jobVersion: number,
  payload: string,
) => string | null;

export type EditedRow =
  | { readonly row: Buffer; readonly hasKey: boolean }
  | { readonly skip: SkipReason; readonly problem: string }
  /** The job is gone or unreadable: the script reports it. */
  | null;

/** Applies the patch to one row. */
export function editRow(
  { queue, jobId }: { readonly queue: string; readonly jobId: string },
  row: Buffer,
  patch: readonly PatchStep[],
  check: PayloadCheck | null = null,
): EditedRow {
  const { envelope, payload } = decodeRow(jobId, row);
  if (!envelope) return null;
  const text = payload.toString('utf8');
  if (!replacesWhole(patch) && !Buffer.from(text, 'utf8').equals(payload))
    return { skip: 'patch-failed', problem: 'The payload is not text, so it cannot be edited.' };
  const patched = applyPatch(text, patch);
  if (!patched.ok) return { skip: 'patch-failed', problem: patched.problem };
  const bytes = Buffer.byteLength(patched.text);
  if (bytes > PAYLOAD_MAX_BYTES)
    return {
      skip: 'payload-too-large',
      problem: `The payload would have ${bytes} bytes; at most ${PAYLOAD_MAX_BYTES} are taken.`,
    };
  const problem = check?.(queue, envelope.jobType, envelope.jobVersion, patched.text) ?? null;
  if (problem !== null) return { skip: 'invalid-payload', problem };
  const head = row.subarray(0, row.length - payload.length);
  return { row: Buffer.concat([head, Buffer.from(patched.text)]), hasKey: envelope.idempotencyKey !== null };
}

/** Edits the first jobs: at least one, and as many as fit in one read. */
export async function editRows(
  ctx: BrokerContext,
  shard: string,
  ids: readonly string[],
  patch: readonly PatchStep[],
  check: PayloadCheck | null,
): Promise<EditedRow[]> {
  const edited: EditedRow[] = [];
  const [queue = shard] = shard.split('#', 1);
  let bytes = 0;
  while (edited.length < ids.length && bytes < READ_MAX_BYTES) {
    const left = Math.floor(((READ_MAX_BYTES - bytes) * edited.length) / (bytes + 1));
    const count = edited.length === 0 ? READ_FIRST : Math.max(1, Math.min(READ_AT_ONCE, left));
    const part = ids.slice(edited.length, edited.length + count);
    const rows = await ctx.plain((redis) => redis.hmgetBuffer(ctx.keys.column(shard, 'jobs'), ...part));
    part.forEach((jobId, i) => {
      const row = rows[i] ?? null;
      bytes += row?.length ?? 0;
      edited.push(row === null ? null : editRow({ queue, jobId }, row, patch, check));
    });
  }
  return edited;
}

export interface PayloadEditor {
  readonly patch: readonly PatchStep[];
  readonly check: PayloadCheck;
}

/** Checks payloads against the handlers that live workers of the job's queue announce. */
export async function loadPayloadCheck(ctx: BrokerContext): Promise<PayloadCheck> {
  const handlers = await knownHandlers(ctx);
  return (queue, jobType, jobVersion, payload) => {
    const schema = handlers.get(`${jobType} ${jobVersion}`)?.schemaFor(queue) ?? null;
    return schema === null ? null : payloadProblem(schema, payload);
  };
}

export interface EditPreview {
  /** Null: the patch does not fit, or the result is too large. */
  readonly after: string | null;
  readonly skip: SkipReason | null;
  /** Null: it would be re-driven. */
  readonly problem: string | null;
}

export function previewEdit(
  { patch, check }: PayloadEditor,
  job: { readonly queue: string; readonly jobId: string },
  row: Buffer,
): EditPreview {
  const { jobId } = job;
  const edited = editRow(job, row, patch, check);
  if (edited === null) return { after: null, skip: 'unreadable', problem: 'Its row cannot be read.' };
  if ('row' in edited)
    return { after: decodeRow(jobId, edited.row).payload.toString('utf8'), skip: null, problem: null };
  // A payload that its handler would refuse is shown, too.
  const unchecked = edited.skip === 'invalid-payload' ? editRow(job, row, patch) : null;
  const after =
    unchecked !== null && 'row' in unchecked
      ? decodeRow(jobId, unchecked.row).payload.toString('utf8')
      : null;
  return { after, skip: edited.skip, problem: edited.problem };
}
