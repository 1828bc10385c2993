/** What an edit would make of a job: for the preview's diffs and skips, by the code that the operation itself edits with. */
import type { PatchStep, SkipReason } from '@/lib/contract/operations';
import type { BrokerContext } from '../context';
import { knownHandlers, payloadProblem } from '../handlers';
import { decodeRow } from '../row';
import { editRow, type PayloadCheck } from './edit-chunk';

export interface Editor {
  readonly patch: readonly PatchStep[];
  readonly check: PayloadCheck;
}

/** Payloads are held to what live workers tell of their handlers, at most some seconds ago. */
export async function payloadCheck(ctx: BrokerContext): Promise<PayloadCheck> {
  const handlers = await knownHandlers(ctx);
  return (jobType, jobVersion, payload) => {
    const schema = handlers.get(`${jobType} ${jobVersion}`)?.schema ?? null;
    return schema === null ? null : payloadProblem(schema, payload);
  };
}

export interface Edited {
  /** Null: the patch does not fit, or makes too much of it. */
  readonly after: string | null;
  readonly skip: SkipReason | null;
  /** In words; null: it would be re-driven. */
  readonly problem: string | null;
}

export function edited({ patch, check }: Editor, jobId: string, row: Buffer): Edited {
  const made = editRow(jobId, row, patch, check);
  if (made === null) return { after: null, skip: 'unreadable', problem: 'Its row cannot be read.' };
  if ('row' in made)
    return { after: decodeRow(jobId, made.row).payload.toString('utf8'), skip: null, problem: null };
  // What a handler would refuse is still shown: that is how one sees what is wrong with the patch.
  const unchecked = made.skip === 'invalid-payload' ? editRow(jobId, row, patch) : null;
  const after =
    unchecked !== null && 'row' in unchecked
      ? decodeRow(jobId, unchecked.row).payload.toString('utf8')
      : null;
  return { after, skip: made.skip, problem: made.problem };
}
