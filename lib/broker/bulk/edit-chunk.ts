/** Edited payloads: the rows of a chunk are read, patched here, and written by the script that re-drives the jobs. */
import { PAYLOAD_MAX_BYTES } from '@/lib/contract/envelope';
import type { PatchStep, SkipReason } from '@/lib/contract/operations';
import type { BrokerContext } from '../context';
import { decodeRow } from '../row';
import { applyPatch } from './patch';

/** Read in small parts until there is so much of them: what comes after is the next step's. The first few tell how large they are. */
const READ_FIRST = 4;
const READ_AT_ONCE = 25;
const READ_MAX_BYTES = 128 * 1024;

/** What is wrong with a payload for the handler of its type and version, in words; null: nothing that is known. */
export type PayloadCheck = (jobType: string, jobVersion: number, payload: string) => string | null;

export type Edited =
  | { readonly row: Buffer; readonly hasKey: boolean }
  /** `problem`: in words, for the preview. */
  | { readonly skip: SkipReason; readonly problem: string }
  /** Nothing to edit: the job is gone or unreadable, and the script says so. */
  | null;

/** What becomes of one row. */
export function editRow(
  jobId: string,
  row: Buffer,
  patch: readonly PatchStep[],
  check: PayloadCheck | null = null,
): Edited {
  const { envelope, payload } = decodeRow(jobId, row);
  if (!envelope) return null;
  const text = payload.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(payload))
    return { skip: 'patch-failed', problem: 'The payload is not text, so it cannot be edited.' };
  const patched = applyPatch(text, patch);
  if (!patched.ok) return { skip: 'patch-failed', problem: patched.problem };
  const bytes = Buffer.byteLength(patched.text);
  if (bytes > PAYLOAD_MAX_BYTES)
    return {
      skip: 'payload-too-large',
      problem: `The payload would have ${bytes} bytes; at most ${PAYLOAD_MAX_BYTES} are taken.`,
    };
  const wrong = check?.(envelope.jobType, envelope.jobVersion, patched.text) ?? null;
  if (wrong !== null) return { skip: 'invalid-payload', problem: wrong };
  const head = row.subarray(0, row.length - payload.length);
  return { row: Buffer.concat([head, Buffer.from(patched.text)]), hasKey: envelope.idempotencyKey !== null };
}

/** The first few of these jobs, edited: at least one of them, and as many as can be read at a time. */
export async function editSome(
  ctx: BrokerContext,
  place: string,
  ids: readonly string[],
  patch: readonly PatchStep[],
  check: PayloadCheck | null,
): Promise<Edited[]> {
  const edited: Edited[] = [];
  let bytes = 0;
  while (edited.length < ids.length && bytes < READ_MAX_BYTES) {
    const left = Math.floor(((READ_MAX_BYTES - bytes) * edited.length) / (bytes + 1));
    const count = edited.length === 0 ? READ_FIRST : Math.max(1, Math.min(READ_AT_ONCE, left));
    const part = ids.slice(edited.length, edited.length + count);
    const rows = await ctx.plain((redis) => redis.hmgetBuffer(ctx.keys.column(place, 'jobs'), ...part));
    part.forEach((jobId, i) => {
      const row = rows[i] ?? null;
      bytes += row?.length ?? 0;
      edited.push(row === null ? null : editRow(jobId, row, patch, check));
    });
  }
  return edited;
}
